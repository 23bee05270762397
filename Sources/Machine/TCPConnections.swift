/// The TCP connections in this process's network namespace, as the kernel listed them at one moment.
package struct TCPConnections: Hashable, Sendable {
  /// One end of a connection.
  package struct End: Hashable, Sendable {
    /// The four bytes of an address of IPv4, or the sixteen of one of IPv6. An address of IPv4 that is written as one of
    /// IPv6 has four.
    package var address: [UInt8]
    package var port: UInt16

    package init(address: [UInt8], port: UInt16) {
      let isMapped = address.count == 16 && address.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
      self.address = isMapped ? Array(address.suffix(4)) : address
      self.port = port
    }
  }

  package struct Connection: Hashable, Sendable {
    package var local: End
    package var remote: End
    /// The user who made the socket.
    package var user: UInt32
    /// The inode number of the socket.
    package var socket: UInt32
  }

  package var all: [Connection]
  /// The addresses of this machine.
  package var ownAddresses: Set<[UInt8]>

  package init(_ all: [Connection], ownAddresses: Set<[UInt8]> = []) {
    self.all = all
    self.ownAddresses = ownAddresses
  }

  /// Asks the kernel. Returns `nil` if it does not list the connections.
  package static func now() -> TCPConnections? {
    guard let four = try? Files.bytes(of: "/proc/self/net/tcp") else { return nil }
    let six = (try? Files.bytes(of: "/proc/self/net/tcp6")) ?? []
    return TCPConnections(read(four) + read(six), ownAddresses: MachineAddresses.all())
  }

  /// Whether the other end of a connection is on this machine.
  package func isFromHere(_ connection: Connection) -> Bool {
    isOwn(connection.remote.address) || counterpart(of: connection) != nil
  }

  /// Returns the other end of a connection, if that is in this network namespace, too.
  package func counterpart(of connection: Connection) -> Connection? {
    all.first { $0.local == connection.remote && $0.remote == connection.local }
  }

  private func isOwn(_ address: [UInt8]) -> Bool {
    let isLoopback = address.count == 4 ? address[0] == 127 : address == Self.loopback
    return isLoopback || ownAddresses.contains(address)
  }

  private static let loopback: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
}

// MARK: - Reading

extension TCPConnections.End {
  /// Reads an address and a port as programs write them.
  package init?(_ address: some StringProtocol, port: some StringProtocol) {
    guard let port = UInt16(port) else { return nil }
    // The name of an interface can follow the address, for example in `fe80::1%eth0`.
    let text = String(address.prefix { $0 != "%" })
    guard let bytes = MachineAddresses.bytes(of: text) else { return nil }
    self.init(address: bytes, port: port)
  }

  /// Reads an end as the kernel lists it, for example `0100007F:0016`. The kernel prints each word of the address as a
  /// number of this machine.
  fileprivate init?(listed text: Substring) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, [8, 32].contains(parts[0].utf8.count), let port = UInt16(parts[1], radix: 16)
    else { return nil }
    var bytes: [UInt8] = []
    var rest = parts[0]
    while !rest.isEmpty {
      guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
      bytes += withUnsafeBytes(of: word, Array.init)
      rest = rest.dropFirst(8)
    }
    self.init(address: bytes, port: port)
  }
}

extension TCPConnections {
  /// The states of sockets that are no connection (yet, or any longer), from the kernel's `net/tcp_states.h`.
  private static let unconnected: Set<Substring> = ["02", "03", "06", "07", "0A", "0C"]

  /// Reads the kernel's list. The first line has the names of the columns.
  package static func read(_ list: [UInt8]) -> [Connection] {
    String(decoding: list, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, !unconnected.contains(fields[3]), let local = End(listed: fields[1]),
        let remote = End(listed: fields[2]), let user = UInt32(fields[7]), let socket = UInt32(fields[9])
      else { return nil }
      return Connection(local: local, remote: remote, user: user, socket: socket)
    }
  }
}
