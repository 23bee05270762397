import PermBroker
import PermModel

/// The allows that no program has used for some days. They are forgotten together, as one change.
struct UnusedAllows {
  static let range = 1...36_500
  static let usualDays = Int(Decision.unusedAfter / 86_400)

  /// The program; `nil` for all programs.
  private let name: ProgramName?
  private let days: Int
  private let limit: Timestamp
  private let context: CommandContext

  init(of name: ProgramName?, days: Int, context: CommandContext) {
    self.name = name
    self.days = days
    self.context = context
    limit = context.now + .seconds(-Int64(days) * 86_400)
  }

  /// Lists the allows.
  ///
  /// - Parameter command: The command that forgets them.
  func list(_ command: String) throws -> ExitStatus {
    try print(find(in: context.store(.read)), "would forget")
    context.console.note("No decision was changed. To forget: \(context.console.visible(command))")
    return .done
  }

  /// Forgets the allows, but for those that are used meanwhile. As with an import, a broker that runs is asked first
  /// whether this process may do that.
  func forget() throws -> ExitStatus {
    let store = try context.store(.change)
    let keys = try find(in: store).map(\.key)
    try context.broker()?.announceImport()
    try print(store.forget(keys, unusedSince: limit, by: .commandLine), "forgot")
    return .done
  }

  private func find(in store: any PermissionStore) throws -> [Decision] {
    var filter = DecisionFilter(verdict: .allow)
    if let name { filter.subjects = Set(try name.one(in: store)) }
    let unused = try store.decisions(filter).filter { $0.isUnused(since: limit) }
    guard !unused.isEmpty else {
      let time = days == 1 ? "day" : "\(days) days"
      throw CommandError("each allow was used, or made, in the last \(time)", status: .denied)
    }
    return unused
  }

  private func print(_ allows: [Decision], _ verb: String) throws {
    for allow in allows {
      let who = context.console.visible(allow.subject.name)
      let what = context.console.visible(written: context.catalogue.shown(allow.atom))
      let used = allow.lastUsed.map { "last used \($0.local)" } ?? "never used"
      try context.console.print("\(verb) \(what) for \(who) (allowed \(allow.decidedAt.local), \(used))")
    }
  }
}
