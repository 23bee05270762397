/// A scope as the fields of a JSON object, such as `{"folder": "/srv"}`. Exactly one field is set, except that `port` can
/// stand beside `host`.
package struct ScopeFields: Codable, Hashable, Sendable {
  var path: String?
  /// A path whose bytes are not UTF-8, with escapes.
  var escapedPath: String?
  var folder: String?
  var escapedFolder: String?
  var host: String?
  var port: Int?
  var domain: String?
  var command: String?
  var form: String?
  /// A line with holes.
  var lines: String?
  var name: String?
  /// The beginning of names.
  var names: String?

  package init(_ scope: Scope) {
    switch scope {
    case .any: break
    case .path(let path): (self.path, escapedPath) = Self.texts(of: path)
    case .folder(let path): (folder, escapedFolder) = Self.texts(of: path)
    case .host(let host, let port): (self.host, self.port) = (host.name, port.map(Int.init))
    case .domain(let host): domain = host.name
    case .command(let line): command = line
    case .form(let form): self.form = form
    case .start(let start): form = start.text
    case .lines(let holed): lines = holed.text
    case .name(let name): self.name = name
    case .names(let start): names = start
    }
  }

  private static func texts(of path: AbsolutePath) -> (plain: String?, escaped: String?) {
    let plain = String(validating: path.bytes, as: UTF8.self)
    return (plain, plain == nil ? Scope.escaped(path.bytes) : nil)
  }

  /// Returns the scope that the fields describe.
  ///
  /// - Throws: ``ScopeError`` if a field is over its limit or not of its kind, or if not exactly one is set.
  package func scope() throws(ScopeError) -> Scope {
    var found: [Scope] = []
    if let path { found.append(.found(try AbsolutePath(path), isFolder: false)) }
    if let escapedPath {
      found.append(.found(try AbsolutePath(try Scope.unescaped(escapedPath)), isFolder: false))
    }
    if let folder { found.append(.folder(try AbsolutePath(folder))) }
    if let escapedFolder { found.append(.folder(try AbsolutePath(try Scope.unescaped(escapedFolder)))) }
    if let host { found.append(.host(try Host(host), port: try checkedPort())) }
    if let domain { found.append(.domain(try Scope.domain(domain))) }
    if let command { found.append(.command(try Scope.checked(command, most: Scope.longestCommand))) }
    if let form { found.append(try Scope.leading(form)) }
    if let lines {
      found.append(.lines(try HoledLine(try Scope.checked(lines, most: Scope.longestCommand))))
    }
    if let name { found.append(.name(try Scope.checked(name, most: Scope.longestName))) }
    if let names { found.append(.names(try Scope.checked(names, most: Scope.longestName))) }
    guard let scope = found.first, found.count == 1, port == nil || host != nil else { throw .notOneValue }
    return scope
  }

  private func checkedPort() throws(ScopeError) -> UInt16? {
    guard let port else { return nil }
    guard let number = UInt16(exactly: port), number > 0 else { throw .host(text: "\(port)", .port) }
    return number
  }
}

extension Scope: Codable {
  public init(from decoder: any Decoder) throws {
    let fields = try ScopeFields(from: decoder)
    do {
      self = try fields.scope()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func encode(to encoder: any Encoder) throws { try ScopeFields(self).encode(to: encoder) }
}
