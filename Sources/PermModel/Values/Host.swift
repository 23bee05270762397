/// The name or address of a host, in a single spelling: lower case, ASCII, and without a final dot. An IPv4 address has
/// four decimal numbers, and an IPv6 address is written as in RFC 5952.
public struct Host: Hashable, Sendable {
  public let name: String

  /// The greatest length of a name, in bytes.
  package static let longest = 253

  /// Creates a host from text without a port. An IPv6 address can be enclosed in brackets.
  ///
  /// - Throws: ``ScopeError/host(text:_:)``, also for user names, backslashes, percent signs and blanks.
  public init(_ text: String) throws(ScopeError) {
    do {
      name = try Self.canonical(text)
    } catch {
      throw .host(text: text, error)
    }
  }

  package var isAddress: Bool {
    // An IPv6 address has a colon, and an IPv4 address ends with a digit. Most names have neither.
    guard let last = name.utf8.last, last < UInt8(ascii: "a") || name.utf8.contains(UInt8(ascii: ":")) else {
      return false
    }
    return IPAddress(canonical: name) != nil
  }

  /// Whether the name of another host ends with this name. There are no names below an address.
  package func isAbove(_ other: Host) -> Bool { !other.isAddress && other.name.hasSuffix(".\(name)") }

  /// The parts of the name between the dots.
  var labels: [Substring] { name.split(separator: ".") }

  private static func canonical(_ text: String) throws(ScopeError.HostFault) -> String {
    if text.hasPrefix("[") || text.contains(":") { return try IPAddress(version6: text).text }
    for scalar in text.unicodeScalars { try check(scalar) }
    var name = text.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    guard !name.isEmpty, name.utf8.count <= longest else { throw .label(name) }
    let dot = UInt8(ascii: ".")
    let labels = name.utf8.split(separator: dot, omittingEmptySubsequences: false).map(Substring.init)
    // If the last part is a number, resolvers take the whole name for an IPv4 address, which has many spellings.
    if let last = labels.last, IPAddress.isNumber(last) { return try IPAddress(version4: name).text }
    for label in labels { try check(label) }
    return name
  }

  private static func check(_ scalar: Unicode.Scalar) throws(ScopeError.HostFault) {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": return
    case "%": throw .zone
    case "*": throw .wildcard
    default: throw !scalar.isASCII && scalar.properties.isAlphabetic ? .letters : .sign(scalar)
    }
  }

  private static func check(_ label: Substring) throws(ScopeError.HostFault) {
    guard (1...63).contains(label.utf8.count), !label.hasPrefix("-"), !label.hasSuffix("-") else {
      throw .label(String(label))
    }
  }
}

extension Host: CustomStringConvertible {
  public var description: String { name }
}
