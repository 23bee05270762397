import Dispatch
import PermModel

/// The remedies that `permtui doctor` offers for a damaged store.
struct StoreRepair {
  let path: String
  let context: CommandContext

  private var console: Console { context.console }
  private var recovery: StoreRecovery { StoreRecovery(path: path, environment: context.world) }

  /// If the store is damaged, moves it aside and reports the date of the newest backup.
  func moveAside() throws -> ExitStatus {
    guard StoreCheckup(path: path, now: context.now).isDamaged else {
      throw CommandError("the store is not damaged: there is nothing to repair", status: .denied)
    }
    let aside = try recovery.moveAside()
    try console.print(foreign: "moved the damaged store to \(aside)")
    if let backup = recovery.backups.first {
      console.note(
        """
        The newest backup is from \(backup.madeAt.local). 'permtui doctor --restore' puts it in place;
        without it the next start begins with nothing decided.
        """)
    } else {
      console.note("There is no backup: the next start begins with nothing decided.")
    }
    return .done
  }

  /// Puts the newest backup in the store's place.
  func restore() throws -> ExitStatus {
    guard let backup = recovery.backups.first else {
      throw CommandError("there is no backup of \(path)", status: .denied)
    }
    if let aside = try recovery.restore(backup, by: .commandLine) {
      try console.print(foreign: "moved what stood there to \(aside)")
    }
    try console.print(foreign: "restored \(backup.path)")
    console.note("Decided since \(backup.madeAt.local) is not in it.")
    return .done
  }
}

extension SQLiteStore {
  /// Runs the store's daily upkeep in the background, because the upkeep of a large store takes seconds. Errors are
  /// ignored; `permtui doctor` reports a missing backup.
  func keepUpInBackground(journalDays: Int?) {
    DispatchQueue(label: "permtui.upkeep", qos: .background).async {
      try? self.keepUp(journalDays: journalDays)
    }
  }
}
