import PermBroker

/// The hooks through which an agent asks here, in the shape that Claude Code (2.1.330) and Codex (0.163.0) share.
struct AgentHooks: Sendable {
  struct Hook: Sendable {
    var event: String
    var matcher: String?
    /// The time in seconds after which the agent ends the hook; `nil` for the agents' default of ten minutes.
    var timeout: Int?
  }

  /// The lists that were made for our hooks, named as in `hooks` and `hooks.Stop`. Once our hooks are gone, these lists
  /// go, too; those that the person made stay, even if they are empty.
  typealias Made = [String]

  let hooks: [Hook]
  /// The line that the agent's shell runs.
  var command: String { call + Self.end }
  /// The line up to its options.
  private let call: String

  /// - Parameter program: The path of `permtui`. It has no character that a shell would read in its own way.
  init(_ hooks: [Hook], program: String) {
    self.hooks = hooks
    call = "'\(program)' hook"
  }

  /// The end of the line, which keeps the shell running. A shell that runs nothing after the hook replaces itself by it, and
  /// with it goes the environment that the agent's commands get: some shells leave out exported functions.
  private static let end = "; exit $?"

  private static func withoutEnd(_ command: String) -> String {
    command.hasSuffix(end) ? String(command.dropLast(end.count)) : command
  }

  /// Returns the program that a hook runs if the hook is one of ours.
  static func program(of command: String) -> String? {
    let command = withoutEnd(command)
    let start = command.dropLast(sockets(of: command).count)
    guard start.hasSuffix(" hook") else { return nil }
    var word = start.dropLast(" hook".count)
    if word.count > 2, word.first == "'", word.last == "'" { word = word.dropFirst().dropLast() }
    return word.split(separator: "/").last == "permtui" && word.allSatisfy(\.isPlainInSettings)
      ? String(word) : nil
  }

  /// Returns the end of a command of ours that names the folder of the broker's sockets; empty if it names none.
  private static func sockets(of command: String) -> Substring {
    let command = withoutEnd(command)
    guard let option = command.firstRange(of: " --sockets ") else { return "" }
    var folder = command[option.upperBound...]
    if folder.count > 2, folder.first == "'", folder.last == "'" { folder = folder.dropFirst().dropLast() }
    let isPlain = folder.first == "/" && folder.allSatisfy(\.isPlainInSettings)
    return isPlain ? command[option.lowerBound...] : ""
  }

  // MARK: Adding

  /// Adds the hooks that are missing, and corrects those that run another file. Returns the names of the lists that this
  /// makes.
  func add(to document: inout JSONDocument) throws(TextProblem) -> Made {
    try check(document)
    guard document.root["hooks"] != nil else {
      let events = hooks.map { JSONDraft.Member($0.event, .array([group($0)])) }
      try document.add(JSONDraft.Member("hooks", .object(events)), to: document.root)
      return ["hooks"] + hooks.map { "hooks.\($0.event)" }
    }
    var made: Made = []
    for hook in hooks where try !correct(hook, in: &document) {
      guard let all = document.root["hooks"] else { continue }
      if let groups = all[hook.event] {
        try document.add(group(hook), to: groups)
      } else {
        try document.add(JSONDraft.Member(hook.event, .array([group(hook)])), to: all)
        made.append("hooks.\(hook.event)")
      }
    }
    return made
  }

  /// Corrects the command of a hook of ours. Returns whether the event has one.
  private func correct(_ hook: Hook, in document: inout JSONDocument) throws(TextProblem) -> Bool {
    guard let place = Self.places(in: document).first(where: { $0.event == hook.event }) else { return false }
    guard let node = place.handler["command"] else { return true }
    let corrected = call + Self.sockets(of: node.text ?? "") + Self.end
    if node.text != corrected { try document.set(node, to: corrected) }
    return true
  }

  private func group(_ hook: Hook) -> JSONDraft {
    let timeout = hook.timeout.map { [JSONDraft.Member("timeout", .number($0))] } ?? []
    let handler = [.init("type", .text("command")), .init("command", .text(command))] + timeout
    let matcher = hook.matcher.map { [JSONDraft.Member("matcher", .text($0))] } ?? []
    return .object(matcher + [.init("hooks", .array([.object(handler)]))])
  }

  /// Throws an error if the document does not have the structure of the agents' settings.
  private func check(_ document: JSONDocument) throws(TextProblem) {
    guard document.root.members != nil else {
      throw document.problem("settings begin with '{'", at: document.root)
    }
    guard let all = document.root["hooks"] else { return }
    guard let events = all.members else { throw document.problem("\"hooks\" is not an object", at: all) }
    for event in events where hooks.contains(where: { $0.event == event.name }) {
      guard event.value.elements != nil else {
        throw document.problem("\"\(event.name)\" is not a list", at: event.value)
      }
    }
  }
}

// MARK: - Finding and removing

extension AgentHooks {
  /// A hook of ours in a document.
  struct Place {
    var event: String
    /// The places in the lists: of the group, and of the handler in it.
    var group: Int
    var handlerIndex: Int
    var handler: JSONNode
    /// The file that the hook runs.
    var program: String
  }

  static func places(in document: JSONDocument) -> [Place] {
    let all = document.root["hooks"]
    // Of several members with one name, only the last one counts.
    return (all?.members ?? []).filter { all?[$0.name] == $0.value }.flatMap { event in
      (event.value.elements ?? []).enumerated().flatMap { group, node in
        (node["hooks"]?.elements ?? []).enumerated().compactMap { index, handler in
          handler["command"]?.text.flatMap(program).map {
            Place(event: event.name, group: group, handlerIndex: index, handler: handler, program: $0)
          }
        }
      }
    }
  }

  /// Removes our hooks, and the lists that were made for them.
  ///
  /// - Parameter made: The lists; `nil` if that is not known. Then all lists that become empty are removed.
  static func remove(from document: inout JSONDocument, made: Made?) throws(TextProblem) {
    while let place = places(in: document).first {
      guard let event = document.root["hooks"]?[place.event],
        let group = event.elements?[place.group], let handlers = group["hooks"]
      else { return }
      if handlers.children.count > 1 {
        try document.remove(place.handlerIndex, of: handlers)
      } else {
        try document.remove(place.group, of: event)
      }
      try document.drop(
        place.event, of: document.root["hooks"], made.map { $0.contains("hooks.\(place.event)") })
    }
    try document.drop("hooks", of: document.root, made.map { $0.contains("hooks") })
  }
}

extension JSONDocument {
  /// Removes a member that is an empty object or list, if it was made for our hooks.
  fileprivate mutating func drop(
    _ name: String, of object: JSONNode?, _ isMade: Bool?
  ) throws(TextProblem) {
    guard isMade ?? true, let object, let index = object.members?.lastIndex(where: { $0.name == name }),
      object.members?[index].value.children.isEmpty == true
    else { return }
    try remove(index, of: object)
  }
}

extension Character {
  /// Whether all programs whose settings are changed read the character in a path as itself.
  var isPlainInSettings: Bool { isLetter || isNumber || "/._+-,".contains(self) }
}
