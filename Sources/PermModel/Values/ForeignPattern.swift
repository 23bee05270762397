/// A pattern in the language of another tool. As a value it would mean only itself, so that a denial of it would look right
/// and never count.
public struct ForeignPattern: Hashable, Sendable, CustomStringConvertible {
  let text: String
  /// The way to write what a person means by it.
  let advice: String

  public var description: String {
    "\"\(VisibleText.brief(text))\" is a pattern of another program, which is not supported here; \(advice)"
  }

  private init(_ text: String, _ advice: String) { (self.text, self.advice) = (text, advice) }
}

extension ForeignPattern {
  /// Returns a value as it is read here: `/*` and `/**` at the end of a path mean the folder.
  ///
  /// - Throws: ``ScopeError/pattern(_:)`` if the value is a pattern that has no meaning here.
  package static func resolved(_ value: String, kind: Scope.Kind) throws(ScopeError) -> String {
    guard !value.isEmpty, value != "*" else { return value }
    if let pattern = call(value) { throw .pattern(pattern) }
    let found: ForeignPattern?
    switch kind {
    case .path:
      let path = withoutStarsAtEnd(value)
      guard let pattern = path.isEmpty ? everything(value) : self.path(path) else { return path }
      found = pattern
    case .host: found = host(value)
    case .command: found = command(value)
    case .name: found = name(value)
    }
    if let found { throw .pattern(found) }
    return value
  }

  private static func everything(_ value: String) -> ForeignPattern {
    ForeignPattern(value, "write * alone for everything")
  }

  /// Returns the pattern in a rule such as `Bash(git push:*)` or `WebFetch(domain:example.org)`; `nil` if it is none.
  private static func call(_ value: String) -> ForeignPattern? {
    guard value.hasSuffix(")"), let open = value.firstIndex(of: "(") else { return nil }
    let (tool, inner) = (value[..<open], value[value.index(after: open)...].dropLast())
    guard let reference = ForeignRule.capabilities[String(tool)] else { return nil }
    return ForeignPattern(value, "write \(reference)@\(ForeignRule.plain(String(inner)))")
  }

  // MARK: Paths

  private static func withoutStarsAtEnd(_ path: String) -> String {
    var path = path[...]
    while let end = ["/**/", "/**", "/*"].first(where: path.hasSuffix) { path = path.dropLast(end.count - 1) }
    return path == "**" ? "" : String(path)
  }

  private static func path(_ path: String) -> ForeignPattern? {
    if let home = ["$HOME", "${HOME}"].first(where: { path == $0 || path.hasPrefix($0 + "/") }) {
      return ForeignPattern(path, "write ~\(path.dropFirst(home.count))")
    }
    if path.hasPrefix("$") { return ForeignPattern(path, "write the whole path") }
    guard path.hasOwnStar else { return nil }
    return path.hasPrefix("**/")
      ? ForeignPattern(path, "write each path, or a folder with / at its end for everything in it")
      : ForeignPattern(
        path, "write a folder with / at its end for everything in it, or \\* for a star that means itself")
  }

  // MARK: Hosts, commands and names

  private static func host(_ value: String) -> ForeignPattern? {
    let start = "domain:"
    if value.hasPrefix(start) { return ForeignPattern(value, "write \(value.dropFirst(start.count))") }
    let rest = value.firstRange(of: "://").map { value[$0.upperBound...] } ?? value[...]
    guard let slash = rest.firstIndex(of: "/"), slash != rest.startIndex else { return nil }
    return ForeignPattern(value, "write the host alone: \(rest[..<slash])")
  }

  private static func command(_ line: String) -> ForeignPattern? {
    guard let end = [":*", " *"].first(where: line.hasSuffix), line.utf8.count > 2 else { return nil }
    let start = line.dropLast(2)
    let itself = end == " *" ? ", or \(start) \\* for the line with a star" : ""
    return ForeignPattern(line, "write \(start) … for all lines that begin so\(itself)")
  }

  private static func name(_ name: String) -> ForeignPattern? {
    let server = "mcp__"
    if name.hasPrefix(server), !name.hasOwnStar, name.dropFirst(server.count).firstRange(of: "__") == nil {
      return ForeignPattern(name, "write \(name)__* for all tools of the server")
    }
    guard String(name.dropLast()).hasOwnStar else { return nil }
    return ForeignPattern(name, "a star can only be at the end; write \\* for a star that means itself")
  }
}

extension String {
  /// Whether the text has a star that does not follow a backslash.
  fileprivate var hasOwnStar: Bool {
    var isEscaped = false
    for byte in utf8 {
      if !isEscaped, byte == UInt8(ascii: "*") { return true }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return false
  }
}
