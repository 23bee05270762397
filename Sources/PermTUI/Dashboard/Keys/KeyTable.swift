/// All key bindings. The dashboard, its help, the bottom line, the man page and the README all use this one table.
struct KeyTable: Sendable {
  let bindings: [KeyBinding]
  private let commands: [KeyContext: [Key: Command]]
  private let bars: [KeyContext: [KeyBinding]]

  /// The table of a person who has not changed any keys.
  static let usual = KeyTable()

  /// - Parameter changes: The person's own keys for commands. They replace the keys in `bindings`.
  init(_ bindings: [KeyBinding] = KeyTable.standard, changes: [Command: [Key]] = [:]) {
    self.bindings = bindings.map { binding in
      var binding = binding
      if let keys = changes[binding.command] { binding.keys = keys }
      return binding
    }
    bars = Self.bars(of: self.bindings)
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
  func bar(in place: KeyContext) -> [KeyBinding] { bars[place] ?? [] }

  /// Returns the bindings that the bottom line names, by context and in the order of their ranks. If a command has
  /// several, the one of the most specific context is named.
  private static func bars(of bindings: [KeyBinding]) -> [KeyContext: [KeyBinding]] {
    let ranked = bindings.filter { $0.rank != nil }.sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }
    let bars = KeyContext.allCases.map { place in
      var shown: [Int] = []
      for context in place.contexts {
        for index in ranked.indices where ranked[index].contexts.contains(context) {
          if !shown.contains(where: { ranked[$0].command == ranked[index].command }) { shown.append(index) }
        }
      }
      return (place, shown.sorted().map { ranked[$0] })
    }
    return Dictionary(uniqueKeysWithValues: bars)
  }

  /// Returns a command's first key, for messages that mention the key; `nil` if the command has no key.
  func key(for command: Command) -> Key? {
    bindings.indices.first { bindings[$0].command == command }.flatMap { bindings[$0].keys.first }
  }

  /// Returns the help lines for a context: first the keys of this context, then those that
  /// work everywhere, and for a list also the meanings of the signs.
  func helpLines(for place: KeyContext) -> [HelpLine] {
    let isList = place.contexts.contains(.list)
    let signs = isList ? [HelpLine(keys: "", text: "Signs")] + HelpLine.signs : []
    return (isList ? [place, .list, .request, .anywhere] : place.contexts).flatMap { context in
      let lines = bindings.filter { $0.contexts.contains(context) && !$0.help.isEmpty }
        .compactMap { helpLine($0, runs: isList && context != .request) }
      return lines.isEmpty ? [] : [HelpLine(keys: "", text: context.title)] + lines
    } + signs
  }
}

extension KeyTable {
  /// Returns the help line of a binding; `nil` if the line of another one includes it. The choices of how long to keep an
  /// answer share one line.
  ///
  /// - Parameter runs: Whether the command can be carried out in the view that the help is about.
  private func helpLine(_ binding: KeyBinding, runs: Bool) -> HelpLine? {
    let choices = Command.keepFor
    guard let place = choices.firstIndex(of: binding.command) else {
      let command = runs && binding.command.runsFromHelp ? binding.command : nil
      return HelpLine(keys: binding.keys.names, text: binding.help, command: command)
    }
    guard place == 0 else { return nil }
    let keys = choices.flatMap { choice in bindings.first { $0.command == choice }?.keys ?? [] }
    return HelpLine(keys: keys.names, text: binding.help)
  }
}

extension [Key] {
  fileprivate var names: String { map(\.description).joined(separator: " ") }
}

struct HelpLine: Hashable, Sendable {
  /// The keys, for example `j Down`; empty in a heading.
  var keys: String
  var text: String
  /// The command that the line runs when it is chosen; `nil` if it only explains.
  var command: Command?

  var isHeading: Bool { keys.isEmpty }
}
