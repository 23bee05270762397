import Machine

// Scopes from plain values, which have no escapes: what a Swift program has in its variables.

extension Scope {
  /// The scope of a path. A path that ends with a slash means the folder with everything below it.
  ///
  /// - Throws: ``ScopeError``. If the path is relative, the error says what it would be from here.
  package init(path text: String) throws(ScopeError) {
    guard !text.isEmpty else { throw .empty }
    guard text.hasPrefix("/") else { throw .relative(path: text, meant: Self.whole(text)) }
    self = .found(try AbsolutePath(text), isFolder: text.hasSuffix("/"))
  }

  static func whole(_ path: String) -> String {
    if path == "~" || path.hasPrefix("~/") { return HomeFolder.path + path.dropFirst() }
    return Paths.absolute(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }

  /// The scope of a host. The name `*.example.org` means all hosts below `example.org`, and `*` means every host.
  ///
  /// - Parameter port: The port; `nil` for every port.
  /// - Throws: ``ScopeError``. If the text has more in it than a host, the error says what the host is.
  package init(host text: String, port: UInt16?) throws(ScopeError) {
    guard port != 0 else { throw .host(text: "\(text):0", .port) }
    if text == "*", port == nil {
      self = .any
    } else if text.hasPrefix("*."), port == nil {
      self = .domain(try Self.domain(String(text.dropFirst(2))))
    } else {
      self = .host(try Host(alone: text), port: port)
    }
  }

  package init(command line: String) throws(ScopeError) {
    self = .command(try Self.checked(line, most: Self.longestCommand))
  }

  package init(name: String) throws(ScopeError) {
    self = .name(try Self.checked(name, most: Self.longestName))
  }

  /// The reason why no program can ask for this scope; `nil` if it can. Texts are checked where they are read, but a Swift
  /// program can make a scope of any text.
  var fault: ScopeError? {
    switch self {
    case .any, .path, .folder, .host, .domain, .lines, .start: nil
    case .command(let text): Self.fault(text, most: Self.longestCommand)
    case .form(let text): CommandForm(named: text) == nil ? .leadingWords(text) : nil
    case .name(let text), .names(let text): Self.fault(text, most: Self.longestName)
    }
  }

  private static func fault(_ text: String, most: Int) -> ScopeError? {
    do {
      _ = try checked(text, most: most)
      return nil
    } catch {
      return error
    }
  }
}

extension Host {
  /// Creates a host from text that should have nothing else in it.
  fileprivate init(alone text: String) throws(ScopeError) {
    do {
      try self.init(text)
    } catch {
      guard let meant = Self.host(inURL: text), meant.name != text else { throw error }
      throw .host(text: text, .more(than: meant.name))
    }
  }

  /// Returns the host of a URL or a part of one, such as `ana@example.org:443`; `nil` if there is none.
  private static func host(inURL text: String) -> Host? {
    let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard let colon = place.lastIndex(of: ":") else { return try? Host(String(place)) }
    return try? Host(String(place[..<colon]))
  }
}
