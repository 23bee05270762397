/// All key bindings. The dashboard, its help, the bottom line, the man page and the README all use this one table.
struct KeyTable: Sendable {
  let bindings: [KeyBinding]
  private let commands: [KeyContext: [Key: Command]]
  /// The bindings that have a rank in the bottom line.
  private let ranked: [KeyBinding]

  /// - Parameter changes: The person's own keys for commands. They replace the keys in `bindings`.
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

  /// Returns the command that `key` runs in a context.
  func command(for key: Key, in place: KeyContext) -> Command? {
    place.contexts.lazy.compactMap { commands[$0]?[key] }.first
  }

  /// Returns the bindings that the bottom line names in a context, in the order of their ranks.
  func bar(in place: KeyContext) -> [KeyBinding] {
    var named: Set<Command> = []
    return place.contexts.flatMap { context in
      ranked.filter { $0.contexts.contains(context) && named.insert($0.command).inserted }
    }
    .sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }
  }

  /// Returns a command's first key, for messages that mention the key; `nil` if the command has no key.
  func key(for command: Command) -> Key? { bindings.first { $0.command == command }?.keys.first }

  /// Returns the help lines for a context: first the keys of this context, then those that
  /// work everywhere, and for a list also the meanings of the signs.
  func helpLines(for place: KeyContext) -> [HelpLine] {
    let isList = place.contexts.contains(.list)
    let signs = isList ? [HelpLine(keys: "", text: "Signs")] + HelpLine.signs : []
    return (isList ? [place, .list, .request, .anywhere] : place.contexts).flatMap { context in
      let lines = bindings.filter { $0.contexts.contains(context) && !$0.help.isEmpty }.map { binding in
        HelpLine(keys: binding.keys.map(\.description).joined(separator: " "), text: binding.help)
      }
      return lines.isEmpty ? [] : [HelpLine(keys: "", text: context.title)] + lines
    } + signs
  }
}

struct HelpLine: Hashable, Sendable {
  /// The keys, for example `j Down`; empty in a heading.
  var keys: String
  var text: String

  var isHeading: Bool { keys.isEmpty }
}
