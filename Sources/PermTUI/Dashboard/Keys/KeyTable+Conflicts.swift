/// A key that would mean two things in one place: the command that wants it, and the one that has it.
struct KeyConflict: Hashable, Sendable {
  var command: Command
  var key: Key
  var other: Command
}

extension KeyTable {
  /// Keys that would mean two things in one place, or would hide what they mean everywhere. What the standard table
  /// hides is meant so.
  var conflicts: [KeyConflict] {
    let meant = Set(Self.clashes(in: Self.standard, withWider: true))
    return Self.clashes(in: bindings, withWider: true).filter { !meant.contains($0) }
      + Self.clashes(in: bindings, withWider: false).filter { meant.contains($0) }
  }

  private static func clashes(in bindings: [KeyBinding], withWider: Bool) -> [KeyConflict] {
    var found: [KeyConflict] = []
    for context in KeyContext.allCases {
      let places = withWider ? [context] + context.wider : [context]
      var owners: [Key: Command] = [:]
      for binding in places.flatMap({ place in bindings.filter { $0.contexts.contains(place) } }) {
        for key in binding.keys {
          let owner = owners[key] ?? binding.command
          owners[key] = owner
          guard owner != binding.command else { continue }
          found.append(KeyConflict(command: binding.command, key: key, other: owner))
          found.append(KeyConflict(command: owner, key: key, other: binding.command))
        }
      }
    }
    return found
  }
}

extension KeyContext {
  /// Where a key is looked up that means nothing here.
  fileprivate var wider: [KeyContext] {
    switch self {
    case .request, .change, .confirmation, .notice, .reading, .list: [.anywhere]
    case .anywhere: []
    default: [.list, .anywhere]
    }
  }
}
