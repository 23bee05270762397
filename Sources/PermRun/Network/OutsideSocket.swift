import CWalls

/// A socket of the host's network, which takes the place of a program's own.
final class OutsideSocket {
  let descriptor: Int32
  let facts: walls_socket
  /// Whether the connection is made; if not, the program waits for it, as it would outside.
  private(set) var isConnected = false

  /// The milliseconds after which the next address of a name is tried.
  private static let patience: Int32 = 3000

  private init(_ address: Address, port: UInt16, like other: TakenSocket) throws(Failure) {
    let family = address.isVersion4 ? other.facts.family : AF_INET6
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = try checked(socket(family, kind, 0))
    var facts = walls_socket()
    walls_describe_socket(descriptor, &facts)
    self.facts = facts
    walls_copy_options(other.descriptor, descriptor)
    let place = SocketAddress(address, port: port, family: family)
    let made = self.descriptor
    do throws(Failure) { try place.with { connect(made, $0, $1) } } catch {
      guard error.code == EINPROGRESS else { throw error }
      return
    }
    isConnected = true
  }

  deinit { close(descriptor) }

  /// Connects a socket to the first of some addresses that answers. Returns the place of the address, too.
  ///
  /// - Parameter isWanted: Whether the program still waits.
  static func connected(
    to addresses: [Address], port: UInt16, like other: TakenSocket, on workers: WorkerThreads,
    while isWanted: () -> Bool
  ) throws(Failure) -> (socket: OutsideSocket, place: Int) {
    var last = Failure(EHOSTUNREACH)
    for (place, address) in addresses.enumerated() {
      let isLast = place == addresses.count - 1
      do throws(Failure) {
        let made = try OutsideSocket(address, port: port, like: other)
        // A program that does not block waits by itself, unless another address could be tried.
        let leavesWaiting = isLast && other.facts.is_blocking == 0
        if !made.isConnected, !leavesWaiting {
          try workers.waiting { () throws(Failure) in try made.wait(isLast: isLast, while: isWanted) }
        }
        walls_set_blocking(made.descriptor, other.facts.is_blocking)
        return (made, place)
      } catch { last = error }
    }
    throw last
  }

  private func wait(isLast: Bool, while isWanted: () -> Bool) throws(Failure) {
    while !isConnected {
      let error = walls_await_connection(descriptor, Self.patience)
      isConnected = error == 0
      let goesOn = error == ETIMEDOUT && isLast && isWanted()
      guard isConnected || goesOn else { throw Failure(error) }
    }
  }
}
