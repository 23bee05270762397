import CWalls
import PermModel

/// Finds the addresses of a name, as any program of this machine does.
enum Resolver {
  /// Returns the addresses of a host in the order in which they should be tried; of an address, itself.
  static func addresses(of host: Host) -> [Address] {
    var wanted = addrinfo()
    wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host.name, nil, &wanted, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [Address] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ai_addr.flatMap({ SocketAddress($0)?.address }), !found.contains(address) {
        found.append(address)
      }
      next = entry.ai_next
    }
    return found
  }
}
