import Glibc

/// An IP address. The functions that resolvers use read it, so that every spelling that they accept is known; each
/// address is written in a single way.
struct IPAddress: Hashable {
  /// Four bytes for version 4, sixteen for version 6.
  private let bytes: [UInt8]

  /// Creates an address from its canonical spelling; `nil` if the text is a name.
  init?(canonical text: String) {
    let read =
      text.contains(":") ? try? IPAddress(version6: text) : try? IPAddress(version4: text)
    guard let read else { return nil }
    self = read
  }

  /// The canonical spelling: four decimal numbers, or the form of RFC 5952 without brackets.
  var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    inet_ntop(family, bytes, &buffer, socklen_t(buffer.count))
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // An address that begins with 96 zeros gets decimal numbers at its end.
    return family == AF_INET6 && text.contains(".") ? "::\(hexadecimal(12)):\(hexadecimal(14))" : text
  }

  private func hexadecimal(_ place: Int) -> String {
    String(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]), radix: 16)
  }

  // MARK: Version 4

  /// Whether `inet_aton` would read a label as a number: decimal, octal after `0`, or hexadecimal after `0x`.
  static func isNumber(_ label: Substring) -> Bool {
    label.first?.isWholeNumber == true && (label.allSatisfy(\.isWholeNumber) || label.hasPrefix("0x"))
  }

  /// Creates an address from one to four numbers, of which the last fills the remaining bytes.
  init(version4 text: String) throws(ScopeError.HostFault) {
    var address = in_addr()
    // A blank would end the address, and the rest would count for nothing.
    guard !Self.endsEarly(text), inet_aton(text, &address) == 1 else { throw .address }
    bytes = withUnsafeBytes(of: address.s_addr) { Array($0) }
  }

  /// Whether the functions of C see less than the whole text.
  private static func endsEarly(_ text: String) -> Bool { text.utf8.contains { $0 <= UInt8(ascii: " ") } }

  // MARK: Version 6

  /// Reads an address with or without brackets. An address that maps an IPv4 address becomes that IPv4 address.
  init(version6 text: String) throws(ScopeError.HostFault) {
    var inner = text[...]
    if inner.hasPrefix("[") {
      guard inner.hasSuffix("]") else { throw .address }
      inner = inner.dropFirst().dropLast()
    }
    guard !inner.contains("%") else { throw .zone }
    var all = [UInt8](repeating: 0, count: 16)
    guard !Self.endsEarly(text), inet_pton(AF_INET6, String(inner), &all) == 1 else { throw .address }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    bytes = all.starts(with: mapped) ? Array(all.suffix(4)) : all
  }
}
