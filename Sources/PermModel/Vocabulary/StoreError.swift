import Machine

/// A failure of the store. Where possible, its description says how to fix the problem.
public enum StoreError: Error, Hashable, Sendable {
  case wrongOwner(path: String, owner: UInt32)
  case symbolicLink(path: String)
  /// The store, or a folder on its path, is not the expected kind of file.
  case wrongKind(path: String, expected: String)
  /// Other users are allowed to write to the folder, so they could replace the store with a file of their own.
  case openFolder(path: String, mode: UInt32)
  case newerVersion(path: String, found: Int, known: Int)
  /// The file is not a database, or its contents are inconsistent.
  case damaged(path: String, detail: String)
  case readOnly(path: String, reason: String)
  case diskFull(path: String)
  /// The file was removed or replaced while it was open, so it is no longer used.
  case removed(path: String)
  /// Another process held the lock for longer than five seconds.
  case busy(path: String)
  /// Another process has the store open, but this process needs exclusive access.
  case inUse(path: String)
  /// Another process has been opening the store for more than five seconds.
  case beingOpened(path: String, process: Int32?)
  case system(path: String, call: String, errno: Int32)
  /// SQLite failed in a way that has no case of its own.
  case database(path: String, code: Int, message: String)
  case nothingToUndo, nothingToRedo
  /// The change cannot be undone or redone, because the decisions in `conflicts` have changed since.
  case undoRefused(DecisionChange, conflicts: [UndoConflict])
  case unreadableLine(number: Int, reason: String)
  case requestIDTaken(Request.ID)
  /// The answer would apply only to one request, or to an unknown process, so there is nothing to keep.
  case nothingToKeep
}

extension StoreError: CustomStringConvertible {
  /// A message for people: the problem and, if there is any advice, a second line with the advice.
  public var description: String {
    advice.map { "\(problem)\n\($0)" } ?? problem
  }

  /// The problem alone, without advice.
  public var problem: String {
    switch self {
    case .wrongOwner(let path, let owner): "\(path) belongs to \(userName(owner)), not to you"
    case .symbolicLink(let path): "\(path) is a symbolic link, and a store is never used through one"
    case .wrongKind(let path, let expected): "\(path) is not \(expected)"
    case .openFolder(let path, let mode):
      "others may write into \(path) (mode \(String(mode, radix: 8))), so they could replace the store"
    case .newerVersion(let path, let found, let known):
      "\(path) has format \(found), and this permtui knows formats up to \(known)"
    case .damaged(let path, let detail): "\(path) is damaged: \(detail)"
    case .readOnly(let path, let reason): "\(path) cannot be changed: \(reason)"
    case .diskFull(let path): "no space is left for \(path); nothing was changed"
    case .removed(let path): "\(path) was removed or replaced while it was open"
    case .busy(let path):
      "another process kept \(path) locked for more than five seconds; nothing was changed"
    case .system(let path, let call, let code): "\(path): \(call): \(SystemError.reason(code))"
    case .database(let path, let code, let message): "\(path): SQLite error \(code): \(message)"
    case .inUse(let path): "\(path) is open in another permtui"
    case .beingOpened(let path, let process):
      "\(process.map { "process \($0)" } ?? "another process") has been opening \(path) for more than five seconds"
    case .nothingToUndo: "there is nothing left to undo"
    case .nothingToRedo: "there is nothing to redo"
    case .undoRefused(_, let conflicts): refusal(conflicts)
    case .unreadableLine(let number, let reason): "line \(number): \(reason)"
    case .requestIDTaken(let id): "the id \(id) belongs to another request"
    case .nothingToKeep: "an answer for once, or for an unknown process, cannot be kept"
    }
  }

  /// Advice on how to fix the problem; `nil` if none is needed or known.
  public var advice: String? {
    switch self {
    case .wrongOwner(_, let owner):
      "Run permtui as \(userName(owner)), or name a store of your own with --store or PERMTUI_STORE."
    case .symbolicLink(let path): "Move what it points to into its place, or name the real path: \(path)."
    case .wrongKind: "Move it away, or name another place with --store or PERMTUI_STORE."
    case .openFolder(let path, _): "Close it: chmod go-w \(path.shellQuoted)"
    case .newerVersion: "Update permtui, or name another store with --store."
    case .damaged:
      "It was left as it is. permtui doctor --repair moves it aside and offers the last good backup."
    case .readOnly: "Its contents can still be read."
    case .diskFull: "Make room, then answer again."
    case .removed: "Start permtui again; permtui doctor tells of backups."
    case .busy: "Try again. If it stays so, see who holds it: fuser -v FILE"
    case .inUse: "Close the others first."
    case .beingOpened(_, let process?): "If it was stopped, let it go on: kill -CONT \(process)"
    case .beingOpened: "See who holds it: fuser -v FILE. If it was stopped, let it go on."
    case .undoRefused: "Change it by hand: permtui allow, deny or forget."
    case .requestIDTaken: "Ask under a new, random id."
    case .nothingToKeep: "Choose process, session, a duration or forever."
    case .system, .database, .nothingToUndo, .nothingToRedo, .unreadableLine: nil
    }
  }

  private func refusal(_ conflicts: [UndoConflict]) -> String {
    let changes = conflicts.map { conflict in
      let name = "\(conflict.key.atom) for \(conflict.key.subject.name)"
      guard let found = conflict.found else { return "\(name) is undecided now" }
      return "\(name) is \(found.verdict.past) now, by another decision"
    }
    return "cannot undo or redo this, because it has been changed since: " + changes.joined(separator: "; ")
  }
}

/// Returns a user's name, or the word `user` and the user's number if there is no name.
private func userName(_ id: UInt32) -> String { Users.name(of: id) ?? "user \(id)" }
