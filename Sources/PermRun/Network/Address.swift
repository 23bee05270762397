import CWalls
import PermModel

/// The address of a host: four bytes, or sixteen.
struct Address: Hashable, Sendable {
  let bytes: [UInt8]

  /// - Parameter bytes: An address that maps one of version 4 becomes that one.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: Self.mapping) ? Array(bytes.suffix(4)) : bytes
  }

  init(_ number: UInt32) { self.init(withUnsafeBytes(of: number.bigEndian) { Array($0) }) }

  private static let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

  static let loopback = Address(0x7f00_0001)

  var isVersion4: Bool { bytes.count == 4 }

  /// The sixteen bytes for a socket of version 6.
  var inVersion6: [UInt8] { isVersion4 ? Self.mapping + bytes : bytes }

  /// The number of an address of version 4.
  var number: UInt32? { isVersion4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil }

  /// The address as a host.
  var host: Host? {
    var text = [CChar](repeating: 0, count: 64)
    inet_ntop(isVersion4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
    return try? Host(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}

extension Address {
  /// The same address if it is one of the loopback, and the loopback's if it is none at all; `nil` if it leads elsewhere.
  var ofLoopback: Address? {
    if let number { return number == 0 ? .loopback : number >> 24 == 127 ? self : nil }
    guard bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] < 2 else { return nil }
    return Address([UInt8](repeating: 0, count: 15) + [1])
  }
}

// MARK: - Places

extension Address {
  /// The part of the world in which an address lies.
  enum Place: String {
    case anywhere
    case thisMachine = "on this machine, outside the walls"
    case link = "an address of the nearest network only, where machines keep their own settings"
    case privateNetwork = "a private address"
    case group = "an address of many machines"
    case reserved = "a reserved address"
  }

  /// Ranges of version 4 that are not for everyone, with the number of bits that their addresses have in common.
  private static let ranges: [(start: UInt32, bits: UInt32, place: Place)] = [
    (0x0000_0000, 8, .thisMachine), (0x7f00_0000, 8, .thisMachine), (0xa9fe_0000, 16, .link),
    (0x0a00_0000, 8, .privateNetwork), (0xac10_0000, 12, .privateNetwork),
    (0xc0a8_0000, 16, .privateNetwork),
    (0x6440_0000, 10, .privateNetwork), (0xc000_0000, 24, .reserved), (0xc612_0000, 15, .reserved),
    (0xe000_0000, 4, .group), (0xf000_0000, 4, .reserved),
  ]

  /// - Parameter own: The addresses of this machine.
  func place(own: Set<Address>) -> Place { own.contains(self) ? .thisMachine : place }

  private var place: Place {
    if let number {
      return Self.ranges.first { (number ^ $0.start) >> (32 - $0.bits) == 0 }?.place ?? .anywhere
    }
    if let inner = embedded { return inner.place }
    switch (bytes[0], bytes[1] & 0xc0) {
    case (0xfe, 0x80): return .link
    case (0xfe, 0xc0), (0xfc, _), (0xfd, _): return .privateNetwork
    case (0xff, _): return .group
    default: return bytes.dropLast().allSatisfy { $0 == 0 } ? .thisMachine : .anywhere
    }
  }

  /// The address of version 4 to which translators lead: of NAT64, of 6to4, and in the old compatible form.
  private var embedded: Address? {
    if bytes.starts(with: [0, 0x64, 0xff, 0x9b]) { return Address(Array(bytes.suffix(4))) }
    if bytes.starts(with: [0x20, 0x02]) { return Address(Array(bytes[2..<6])) }
    let isCompatible = bytes.prefix(12).allSatisfy { $0 == 0 } && bytes[12] != 0
    return isCompatible ? Address(Array(bytes.suffix(4))) : nil
  }

  /// The addresses that this machine has now.
  static var own: Set<Address> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: Set<Address> = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ifa_addr.flatMap({ SocketAddress($0)?.address }) { found.insert(address) }
      next = entry.ifa_next
    }
    return found
  }
}
