// The form of scopes in the store: bytes that sort a folder directly before everything below it.

extension Scope {
  /// The first byte of a key, which says what follows.
  private enum Mark {
    static let path = UInt8(ascii: "p")
    static let host = UInt8(ascii: "h")
    static let address = UInt8(ascii: "i")
    static let command = UInt8(ascii: "c")
    /// A command form, or leading words. Which of the two it is depends on the forms that there are.
    static let form = UInt8(ascii: "f")
    /// A line with holes.
    static let lines = UInt8(ascii: "g")
    static let name = UInt8(ascii: "n")
  }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")
  /// The byte that ends a path, a host and a name. None of them contains it.
  private static let end: UInt8 = 0
  /// The byte that ends the beginning of names.
  private static let open: UInt8 = 1

  /// The key of this scope; empty for ``any``.
  package var key: [UInt8] {
    switch self {
    case .any: []
    case .path(let path): Self.key(Mark.path, path.bytes, Self.end)
    case .folder(.root): [Mark.path, Self.slash]
    case .folder(let path): Self.key(Mark.path, path.bytes, Self.slash)
    case .host(let host, let port): Self.key(of: host, Self.end) + (port.map { Array("\($0)".utf8) } ?? [])
    case .domain(let host): Self.key(of: host, Self.dot)
    case .command(let line): Self.key(Mark.command, line.utf8, Self.end)
    // Like a line with holes, a form with an address cannot be found by a line's text.
    case .form(let form):
      Self.key(CommandForm.kind(of: form) == form ? Mark.form : Mark.lines, form.utf8, Self.end)
    case .start(let start): Self.key(Mark.form, start.text.utf8, Self.end)
    case .lines(let lines): Self.key(Mark.lines, lines.text.utf8, Self.end)
    case .name(let name): Self.key(Mark.name, name.utf8, Self.end)
    case .names(let start): Self.key(Mark.name, start.utf8, Self.open)
    }
  }

  /// Returns a key that is allocated once. A look-up builds several.
  private static func key(_ mark: UInt8, _ bytes: some Collection<UInt8>, _ last: UInt8) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count + 2)
    key.append(mark)
    key.append(contentsOf: bytes)
    key.append(last)
    return key
  }

  /// The keys of ``candidates``, in the same order.
  package var candidateKeys: [ArraySlice<UInt8>] {
    switch self {
    case .path(let path): [key[...]] + Self.folderKeys(from: path)
    case .folder(let path): Self.folderKeys(from: path)
    case .host(let host, .some): [key[...], Self.key(of: host, Self.end)[...]] + Self.domainKeys(above: host)
    case .host(let host, nil), .domain(let host): [key[...]] + Self.domainKeys(above: host)
    default: candidates.map { $0.key[...] }
    }
  }

  /// Returns the keys of a folder, of all folders above it, the nearest first, and of ``any``. Each key is the beginning
  /// of the one before it, so that no new path has to be built.
  private static func folderKeys(from path: AbsolutePath) -> [ArraySlice<UInt8>] {
    let longest = Scope.folder(path).key
    var keys: [ArraySlice<UInt8>] = []
    for place in longest.indices.reversed() where longest[place] == slash { keys.append(longest[...place]) }
    keys.append([])
    return keys
  }

  /// Returns the keys of the domains above a host, the nearest first, and of ``any``.
  private static func domainKeys(above host: Host) -> [ArraySlice<UInt8>] {
    guard !host.isAddress else { return [[]] }
    let longest = key(of: host, dot)
    let dots = longest.indices.filter { longest[$0] == dot }
    // The first dot ends a name of only one part, and the last one ends the host's own name.
    return dots.dropFirst().dropLast().reversed().map { longest[...$0] } + [[]]
  }

  /// The smallest key of a scope inside this one, and a byte string that follows all such keys. The keys between the two
  /// can also belong to other scopes.
  package var keysInside: (first: [UInt8], after: [UInt8]) {
    switch self {
    case .any: ([], [.max])
    // The key of the folder's own entry comes before the key of the folder, except for the root folder.
    case .folder(let path): ([Mark.path] + path.bytes, Self.increased(key))
    // The lines of a form have nothing in common that their keys begin with.
    case .form, .lines, .start: ([Mark.command], Self.increased([Mark.lines]))
    // The last byte only says that more may follow.
    case .names: (key.dropLast(), Self.increased(key.dropLast()))
    case .path, .host, .domain, .command, .name: (key, Self.increased(key))
    }
  }

  /// The keys of all command forms, lines with holes and leading words, of which any could be denied in a line.
  package static let keysOfStarts = (first: [Mark.form], after: increased([Mark.lines]))

  /// The keys of all lines with holes, and of all forms with an address. A line does not tell which of them it fits.
  package static let keysOfLines = (first: [Mark.lines], after: increased([Mark.lines]))

  /// Returns the smallest byte string that follows all byte strings with this beginning. No key ends with the greatest
  /// byte, so the last byte can be increased.
  private static func increased(_ key: [UInt8]) -> [UInt8] { key.dropLast() + key.suffix(1).map { $0 + 1 } }

  /// Returns the key of a host. The parts of its name are reversed, so that the hosts of a domain are next to each
  /// other.
  private static func key(of host: Host, _ last: UInt8) -> [UInt8] {
    if host.isAddress { return key(Mark.address, host.name.utf8, last) }
    return key(Mark.host, reversedLabels(Array(host.name.utf8)[...]), last)
  }

  /// Returns a host's name with its parts in reverse order. It works on bytes, because the first frame reads many keys.
  private static func reversedLabels(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var reversed: [UInt8] = []
    reversed.reserveCapacity(name.count + 2)
    var rest = name
    while let mark = rest.lastIndex(of: dot) {
      reversed.append(contentsOf: rest[(mark + 1)...])
      reversed.append(dot)
      rest = rest[..<mark]
    }
    return reversed + rest
  }
}

// MARK: - Reading a key

extension Scope {
  /// Reads a key; `nil` if no scope has this key.
  package init?(key: some Collection<UInt8>) {
    let key = Array(key)
    guard let scope = Self.read(key), scope.key == key else { return nil }
    self = scope
  }

  /// Reads a key without making sure that it is the only spelling of its scope.
  private static func read(_ key: [UInt8]) -> Scope? {
    guard let mark = key.first else { return .any }
    let rest = key.dropFirst()
    switch mark {
    case Mark.path: return path(rest)
    case Mark.host: return host(rest, isAddress: false)
    case Mark.address: return host(rest, isAddress: true)
    case Mark.command: return text(rest).map { .command($0) }
    case Mark.form: return text(rest).map { (try? leading($0)) ?? .form($0) }
    case Mark.lines:
      return text(rest).map { CommandForm(named: $0) == nil ? .lines(HoledLine(kept: $0)) : .form($0) }
    case Mark.name where key.last == open: return beginning(rest.dropLast())
    case Mark.name: return text(rest).map { .name($0) }
    default: return nil
    }
  }

  private static func path(_ bytes: ArraySlice<UInt8>) -> Scope? {
    if bytes.last == end { return (try? AbsolutePath(bytes.dropLast())).map { .path($0) } }
    return (try? AbsolutePath(bytes)).map { .folder($0) }
  }

  private static func host(_ bytes: ArraySlice<UInt8>, isAddress: Bool) -> Scope? {
    guard let sign = bytes.firstIndex(of: end) else {
      return bytes.last == dot ? host(named: bytes.dropLast(), isAddress).map { .domain($0) } : nil
    }
    guard let host = host(named: bytes[..<sign], isAddress) else { return nil }
    let port = String(decoding: bytes[(sign + 1)...], as: UTF8.self)
    if port.isEmpty { return .host(host) }
    return UInt16(port).map { .host(host, port: $0) }
  }

  private static func host(named bytes: ArraySlice<UInt8>, _ isAddress: Bool) -> Host? {
    try? Host(String(decoding: isAddress ? Array(bytes) : reversedLabels(bytes), as: UTF8.self))
  }

  private static func beginning(_ bytes: ArraySlice<UInt8>) -> Scope? {
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return nil }
    return .names(text)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.last == end else { return nil }
    return String(validating: bytes.dropLast(), as: UTF8.self)
  }
}
