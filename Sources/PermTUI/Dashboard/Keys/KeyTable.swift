/// The key bindings: one table that the dashboard obeys, and the source of help, bottom line, man page and README.
struct KeyTable: Sendable {
  let bindings: [KeyBinding]
  private let commands: [KeyContext: [Key: Command]]
  /// The bindings that the bottom line may name.
  private let ranked: [KeyBinding]

  /// - Parameter changes: The keys that the person chose for commands, in place of those in the table.
  init(_ bindings: [KeyBinding] = KeyTable.standard, changes: [Command: [Key]] = [:]) {
    self.bindings = bindings.map { binding in
      var binding = binding
      if let keys = changes[binding.command] { binding.keys = keys }
      return binding
    }
    ranked = self.bindings.filter { $0.rank != nil }
    var commands: [KeyContext: [Key: Command]] = [:]
    for binding in self.bindings {
      for context in binding.contexts {
        for key in binding.keys { commands[context, default: [:]][key] = binding.command }
      }
    }
    self.commands = commands
  }

  /// Returns the meaning of `key` in a place.
  func command(for key: Key, in place: KeyContext) -> Command? {
    place.contexts.lazy.compactMap { commands[$0]?[key] }.first
  }

  /// Returns the bindings that the bottom line names in a place, in its order.
  func bar(in place: KeyContext) -> [KeyBinding] {
    var named: Set<Command> = []
    return place.contexts.flatMap { context in
      ranked.filter { $0.contexts.contains(context) && named.insert($0.command).inserted }
    }
    .sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }
  }

  /// Returns the first key of a command, for texts that name it; `nil` if it has none.
  func key(for command: Command) -> Key? { bindings.first { $0.command == command }?.keys.first }

  /// Returns the keys of a place: its own first, then those that work everywhere.
  func helpLines(for place: KeyContext) -> [HelpLine] {
    let isList = place.contexts.contains(.list)
    return (isList ? [place, .list, .request, .anywhere] : place.contexts).flatMap { context in
      let lines = bindings.filter { $0.contexts.contains(context) && !$0.help.isEmpty }.map { binding in
        HelpLine(keys: binding.keys.map(\.description).joined(separator: " "), text: binding.help)
      }
      return lines.isEmpty ? [] : [HelpLine(keys: "", text: context.title)] + lines
    }
  }
}

struct HelpLine: Hashable, Sendable {
  /// The keys, for example `j Down`; empty in a heading.
  var keys: String
  var text: String

  var isHeading: Bool { keys.isEmpty }
}
