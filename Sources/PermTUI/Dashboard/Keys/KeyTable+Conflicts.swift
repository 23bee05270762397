/// A key that runs two different commands, as seen from one of the two.
struct KeyConflict: Hashable, Sendable {
  var command: Command
  var key: Key
  var other: Command
}

extension KeyTable {
  /// The keys that have two meanings in the same context, or one in a context and another in a wider context. Conflicts
  /// that the standard table contains on purpose are left out.
  var conflicts: [KeyConflict] {
    let meant = Set(Self.clashes(in: Self.standard, withWider: true))
    return Self.clashes(in: bindings, withWider: true).filter { !meant.contains($0) }
      + Self.clashes(in: bindings, withWider: false).filter { meant.contains($0) }
  }

  private static func clashes(in bindings: [KeyBinding], withWider: Bool) -> [KeyConflict] {
    var found: [KeyConflict] = []
    for context in KeyContext.allCases {
      let places = withWider ? context.contexts : [context]
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
