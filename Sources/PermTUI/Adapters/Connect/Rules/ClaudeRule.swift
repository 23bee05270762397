import Machine
import PermModel

/// A rule of Claude Code, for example `Bash(git push:*)`, as a capability here.
///
/// A rule is taken over only if it means the same here, or less in an allow and more in a denial.
struct ClaudeRule: Sendable {
  let verdict: Verdict
  let home: String
  /// The folder of the project.
  let folder: String
  /// Whether the rule is in the settings of the project. Only these have paths that begin in its folder.
  let isProject: Bool

  /// The reason why a rule has no equal here.
  struct Obstacle: Error, Hashable {
    let words: String

    init(_ words: String) { self.words = words }
  }

  /// Returns the text of the capability.
  func reference(_ rule: String) throws(Obstacle) -> String {
    let (tool, pattern) = try Self.parts(rule)
    guard let capability = ForeignRule.capabilities[tool] else {
      return "tools:use@\(try Self.name(tool, pattern))"
    }
    guard let pattern, pattern != "*" else {
      guard verdict == .deny else { throw Obstacle("so much is not taken over at once") }
      return "\(capability)@*"
    }
    switch capability {
    case "commands:run": return "\(capability)@\(try command(pattern))"
    case "network:connect": return "\(capability)@\(try host(pattern))"
    default: return "\(capability)@\(try path(pattern))"
    }
  }

  /// Returns the name of the tool, and the pattern in the brackets behind it.
  private static func parts(_ rule: String) throws(Obstacle) -> (tool: String, pattern: String?) {
    guard let open = rule.firstIndex(of: "(") else { return (rule, nil) }
    guard rule.hasSuffix(")") else { throw Obstacle("it cannot be read") }
    return (String(rule[..<open]), String(rule[rule.index(after: open)...].dropLast()))
  }

  private static func name(_ tool: String, _ pattern: String?) throws(Obstacle) -> String {
    guard pattern == nil else { throw Obstacle("what this tool is given is not looked at here") }
    let server = "mcp__"
    let isServer =
      tool.hasPrefix(server) && !tool.contains("*")
      && tool.dropFirst(server.count).firstRange(of: "__") == nil
    return try scope(isServer ? "\(tool)__*" : tool, .name)
  }

  private func host(_ pattern: String) throws(Obstacle) -> String {
    let start = "domain:"
    guard pattern.hasPrefix(start) else { throw Obstacle("it does not name a host") }
    let name = String(pattern.dropFirst(start.count))
    guard name != "*" || verdict == .deny else { throw Obstacle("so much is not taken over at once") }
    return try Self.scope(name, .host)
  }

  private static func scope(_ text: String, _ kind: Scope.Kind) throws(Obstacle) -> String {
    do throws(ScopeError) {
      return try Scope(ForeignPattern.resolved(text, kind: kind), kind: kind).text
    } catch {
      throw Obstacle("\(error)")
    }
  }
}

// MARK: - Commands

extension ClaudeRule {
  private func command(_ pattern: String) throws(Obstacle) -> String {
    if let end = [":*", " *", "*"].first(where: pattern.hasSuffix) {
      return try beginning(String(pattern.dropLast(end.count)))
    }
    guard !pattern.contains("*") else { throw Obstacle("a star inside a line is not supported here") }
    if verdict == .allow, ShellLine(pattern).isAlwaysAsked {
      throw Obstacle("such a line is asked about each time")
    }
    return Scope.command(pattern).text
  }

  private func beginning(_ words: String) throws(Obstacle) -> String {
    if verdict == .allow {
      guard CommandForm(named: words) != nil else {
        throw Obstacle("what follows these words could do anything, so only single lines are kept here")
      }
    } else if CommandStart(words) == nil {
      throw Obstacle("these are not the first words of a command here")
    }
    return "\(words) …"
  }
}

// MARK: - Paths

extension ClaudeRule {
  /// Returns the path that a pattern means in the settings of Claude Code: `//` is the root, `/` the folder of the project,
  /// and a name without a slash is meant in every folder.
  private func path(_ pattern: String) throws(Obstacle) -> String {
    var text = pattern
    var isFolder = text.hasSuffix("/")
    while let end = ["/**", "/*", "/"].first(where: text.hasSuffix), text.utf8.count > end.utf8.count {
      (text, isFolder) = (String(text.dropLast(end.count)), true)
    }
    guard !text.contains(where: { "*?[]{}!\\".contains($0) }) else {
      throw Obstacle("a pattern for names is not supported here")
    }
    let path = try whole(text)
    let isThere = FileStatus(path)?.kind == .folder
    return Scope.escaped(Array(path.utf8)) + (isFolder || isThere ? "/" : "")
  }

  private func whole(_ text: String) throws(Obstacle) -> String {
    if text.hasPrefix("//") { return String(text.dropFirst()) }
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    if text.hasPrefix("./") { return folder + text.dropFirst() }
    if text.hasPrefix("/") {
      guard isProject else { throw Obstacle("it is not certain in which folder this path begins") }
      return folder + text
    }
    guard text.contains("/") else { throw Obstacle("a name in every folder cannot be written here") }
    return "\(folder)/\(text)"
  }
}
