// The text form of scopes, which follows the `@` of a reference. It is one visible line that reads back as the same
// scope.

extension Scope {
  /// The greatest length of a command line, in bytes.
  package static let longestCommand = 8192
  /// The greatest length of a name, in bytes.
  package static let longestName = 256

  /// The last word of the text form of a command form, and of leading words.
  private static let formMark = "…"

  /// Reads the text form. A path must be absolute.
  ///
  /// - Throws: ``ScopeError`` if the text is not a scope of this kind.
  public init(_ text: some StringProtocol, kind: Kind) throws(ScopeError) {
    guard !text.isEmpty else { throw .empty }
    if text == "*" {
      self = .any
      return
    }
    switch kind {
    case .path: self = try Self.path(text)
    case .host: self = try Self.host(text)
    case .command: self = try Self.command(text)
    case .name: self = try Self.name(text)
    }
  }

  /// The text form.
  public var text: String {
    switch self {
    case .any: "*"
    case .path(let path): Self.escapedPath(path)
    case .folder(let path): Self.escapedPath(path) + (path == .root ? "" : "/")
    case .host(let host, let port): Self.bracketed(host) + (port.map { ":\($0)" } ?? "")
    case .domain(let host): "*.\(host)"
    case .command(let line): Self.escapedCommand(line)
    case .form(let form): "\(Self.escaped(Array(form.utf8))) \(Self.formMark)"
    case .start(let start): "\(start.text) \(Self.formMark)"
    case .lines(let lines): Self.escaped(Array(lines.text.utf8))
    case .name(let name): Self.escapedName(name)
    case .names(let start): "\(Self.escapedStart(start))*"
    }
  }

  /// The scope in a sentence.
  package var words: String {
    switch self {
    case .any: "everything"
    case .folder: "everything in \(shownText())"
    case .domain(let host): "every host below \(host)"
    case .form(let form): "any \"\(form)\""
    case .start(let start): "any \"\(start.text)\""
    case .lines: "every line like \"\(text)\""
    case .names: "every name that begins with \(text.dropLast())"
    case .command: "\"\(text)\""
    case .path: shownText()
    case .host, .name: text
    }
  }

  /// The commands in a sentence that names them as denied.
  package var commandWords: String {
    if case .start(let start) = denied { start.text } else { words }
  }

  // MARK: Paths

  private static func path(_ text: some StringProtocol) throws(ScopeError) -> Scope {
    let bytes = try unescaped(text)
    let path = try AbsolutePath(bytes)
    if bytes.last == UInt8(ascii: "/") { return .folder(path) }
    guard path != .root else { throw .rootAlone }
    return .path(path)
  }

  /// Returns the text of a path. An asterisk that means itself is escaped, since one that does not is a pattern.
  private static func escapedPath(_ path: AbsolutePath) -> String {
    let text = escaped(path.bytes)
    return path.bytes.contains(UInt8(ascii: "*")) ? text.replacing("*", with: "\\*") : text
  }

  // MARK: Hosts

  private static func host(_ text: some StringProtocol) throws(ScopeError) -> Scope {
    var rest = String(text)
    if rest.hasPrefix("*.") { return .domain(try domain(String(rest.dropFirst(2)))) }
    if let mark = rest.firstRange(of: "://"), isScheme(rest[..<mark.lowerBound]) {
      rest = String(rest[mark.upperBound...])
    }
    let (host, port) = splitPort(rest)
    guard let port else { return .host(try Host(host)) }
    let isDecimal = !port.isEmpty && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isDecimal, let number = UInt16(port), number > 0 else { throw .host(text: String(text), .port) }
    return .host(try Host(host), port: number)
  }

  /// Whether a text is the name of a scheme, as RFC 3986 defines it. Anything else before `://` could hide another host.
  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, Character(Unicode.Scalar(first)).isLetter else { return false }
    return text.utf8.allSatisfy(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.".utf8.contains)
  }

  static func domain(_ text: String) throws(ScopeError) -> Host {
    let host = try Host(text)
    guard !host.isAddress, host.labels.count >= 2 else { throw .tooWideDomain(text) }
    return host
  }

  /// Separates the port from a host. Text with several colons and no brackets is an IPv6 address without a port.
  private static func splitPort(_ text: String) -> (host: String, port: Substring?) {
    let isBracketed = text.hasPrefix("[")
    guard let colon = text.lastIndex(of: ":"), isBracketed || text.firstIndex(of: ":") == colon,
      !isBracketed || text[..<colon].hasSuffix("]")
    else { return (text, nil) }
    return (String(text[..<colon]), text[text.index(after: colon)...])
  }

  private static func bracketed(_ host: Host) -> String { host.name.contains(":") ? "[\(host)]" : host.name }

  // MARK: Commands and names

  private static func command(_ text: some StringProtocol) throws(ScopeError) -> Scope {
    guard !text.hasSuffix(" \(formMark)") else {
      return try leading(try plain(text.dropLast(2), most: longestCommand))
    }
    let line = try plain(text, most: longestCommand)
    guard HoledLine.isMeant(by: line), !hasEscapedBrace(text) else { return .command(line) }
    return .lines(try HoledLine(line))
  }

  /// Whether a brace follows a backslash, so that the braces of the line mean themselves.
  private static func hasEscapedBrace(_ text: some StringProtocol) -> Bool {
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped, byte == UInt8(ascii: "{") { return true }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return false
  }

  /// A name, or with an asterisk at its end, the names that begin so.
  private static func name(_ text: some StringProtocol) throws(ScopeError) -> Scope {
    let end = text.utf8.reversed()
    // A backslash before it makes the asterisk mean itself, and another backslash makes that one mean itself.
    let isOpen =
      end.first == UInt8(ascii: "*")
      && end.dropFirst().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
    guard isOpen else { return .name(try plain(text, most: longestName)) }
    return .names(try plain(text.dropLast(), most: longestName))
  }

  /// Blanks around a name are ignored, so those that belong to it are escaped. So is an asterisk at its end.
  private static func escapedName(_ name: String) -> String {
    let scalars = escapedStart(name).unicodeScalars
    let rest = String(scalars.dropLast())
    return switch scalars.last {
    case " ": rest + "\\u{20}"
    case "*": rest + "\\*"
    default: String(scalars)
    }
  }

  private static func escapedStart(_ name: String) -> String {
    let scalars = escaped(Array(name.utf8), alsoComma: true).unicodeScalars
    return scalars.first == " " ? "\\u{20}" + String(scalars.dropFirst()) : String(scalars)
  }

  private static func escapedCommand(_ line: String) -> String {
    if line == "*" { return "\\*" }
    var text = escaped(Array(line.utf8))
    if HoledLine.isMeant(by: line), let brace = line.utf8.firstIndex(of: UInt8(ascii: "{")) {
      text = escaped(Array(line[..<brace].utf8)) + "\\{" + escaped(Array(line[brace...].utf8.dropFirst()))
    }
    return text.hasSuffix(" \(formMark)") ? "\(text.dropLast())\\\(formMark)" : text
  }

  private static func plain(_ text: some StringProtocol, most: Int) throws(ScopeError) -> String {
    guard let plain = String(validating: try unescaped(text), as: UTF8.self) else { throw .notUTF8 }
    return try checked(plain, most: most)
  }

  /// Checks a command line or a name, and returns it.
  static func checked(_ text: String, most: Int) throws(ScopeError) -> String {
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= most else { throw .tooLong(bytes: text.utf8.count, most: most) }
    guard !text.utf8.contains(0) else { throw .containsNUL }
    return text
  }
}
