import CWalls

/// The address that a program has given to a call, as it was when it was copied.
struct SocketAddress: Sendable {
  let bytes: [UInt8]

  static let longest = 128

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The address of a port of a host, for a socket of a family.
  init(_ address: Address, port: UInt16, family: Int32) {
    var bytes = withUnsafeBytes(of: UInt16(family)) { Array($0) }
    bytes += [UInt8(port >> 8), UInt8(port & 0xff)]
    let zeros: [UInt8] = [0, 0, 0, 0]
    self.bytes =
      family == AF_INET ? bytes + address.bytes + zeros + zeros : bytes + zeros + address.inVersion6 + zeros
  }

  /// An address of the system's lists; `nil` if it is none of the internet.
  init?(_ pointer: UnsafePointer<sockaddr>) {
    let lengths = [AF_INET: MemoryLayout<sockaddr_in>.size, AF_INET6: MemoryLayout<sockaddr_in6>.size]
    // Every address begins with its family.
    let family = UnsafeRawPointer(pointer).load(as: sa_family_t.self)
    guard let length = lengths[Int32(family)] else { return nil }
    bytes = Array(UnsafeRawBufferPointer(start: pointer, count: length))
  }

  var family: Int32 { bytes.count < 2 ? -1 : Int32(bytes[0]) | Int32(bytes[1]) << 8 }

  /// The host's address; `nil` if this is no address of the internet, or if it is too short.
  var address: Address? {
    switch family {
    case AF_INET where bytes.count >= 16: Address(Array(bytes[4..<8]))
    case AF_INET6 where bytes.count >= 24: Address(Array(bytes[8..<24]))
    default: nil
    }
  }

  var port: UInt16 { bytes.count < 4 ? 0 : UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }

  /// The path of a socket of the Unix family; empty if the address is a name without a file, or none.
  var path: [UInt8] { Array(bytes.dropFirst(2).prefix { $0 != 0 }) }

  func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) throws(Failure) {
    guard !bytes.isEmpty else { throw Failure(EINVAL) }
    let result = bytes.withUnsafeBytes { raw in
      raw.baseAddress.map { body($0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count)) } ?? -1
    }
    _ = try checked(result)
  }
}
