import PermModel

// The values of an agent's tool. A text that the agent might read differently from the broker is not asked about.

extension Wire.Value {
  /// - Throws: ``UnaskedReason`` if the value is over its limit or not of its kind.
  static func checked(_ part: String, _ scope: Scope) throws(UnaskedReason) -> Wire.Value {
    let fields = ScopeFields(scope)
    do throws(ScopeError) {
      _ = try fields.scope()
    } catch {
      throw UnaskedReason(error)
    }
    return Wire.Value(part: part, scope: fields)
  }

  /// Creates the value for a path as an agent spelled it.
  ///
  /// Claude Code trims a path, composes its characters, expands `~` and removes `..` before it follows any link. Such a
  /// path would mean one file to Claude Code and another to the broker, so it is unclear.
  static func path(_ part: String, _ path: String, isFolder: Bool = false) throws(UnaskedReason) -> Wire.Value
  {
    let scalars = path.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, !first.isTrimmed, !last.isTrimmed, first != "~",
      !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }),
      ForeignText.isComposed(path)
    else { throw .unclear }
    do throws(ScopeError) {
      return Wire.Value(part: part, scope: ScopeFields(try SpelledPath(Array(path.utf8), isFolder: isFolder)))
    } catch {
      throw UnaskedReason(error)
    }
  }

  /// Creates the value for a connection to the host of a web address.
  static func connect(to address: String) throws(UnaskedReason) -> Wire.Value {
    let secure = address.afterScheme("https://")
    let plain = address.afterScheme("http://")
    guard let rest = secure ?? plain else { throw .unclear }
    let authority = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
    guard let scope = try? Scope(String(authority), kind: .host), case .host(let host, let port) = scope
    else {
      throw .unclear
    }
    return try .checked("connect", .host(host, port: port ?? (plain == nil ? 443 : 80)))
  }
}

extension String {
  /// The text after a scheme, which can be in capital letters; `nil` if the text does not begin with the scheme.
  fileprivate func afterScheme(_ scheme: String) -> Substring? {
    guard utf8.count > scheme.utf8.count,
      zip(utf8, scheme.utf8).allSatisfy({ $0 == $1 || (0x41...0x5a).contains($0) && $0 | 0x20 == $1 })
    else { return nil }
    return Substring(utf8.dropFirst(scheme.utf8.count))
  }
}

extension Unicode.Scalar {
  /// Whether Claude Code removes this character from the ends of a path.
  fileprivate var isTrimmed: Bool { properties.isWhitespace || self == "\u{feff}" }
}

extension UnaskedReason {
  fileprivate init(_ error: ScopeError) {
    if case .tooLong = error { self = .tooLong } else { self = .unclear }
  }
}
