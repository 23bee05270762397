extension KeyTable {
  /// Keys that would mean two things in one place: the command that wants it, the key, and the command that has it.
  var conflicts: [(command: Command, key: Key, other: Command)] {
    var found: [(command: Command, key: Key, other: Command)] = []
    for context in KeyContext.allCases {
      var owners: [Key: Command] = [:]
      for binding in bindings where binding.contexts.contains(context) {
        for key in binding.keys {
          if let other = owners[key], other != binding.command {
            found.append((binding.command, key, other))
            found.append((other, key, binding.command))
          }
          owners[key] = binding.command
        }
      }
    }
    return found
  }
}
