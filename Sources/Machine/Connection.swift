import Glibc

/// Attempts to connect to another machine.
package enum Connection {
  package enum Outcome: Hashable, Sendable {
    case connected
    /// The reason, in the system's words, why there is no connection.
    case failed(String)
    case tooSlow
  }

  /// Connects to a port of a host, and closes the connection immediately.
  package static func attempt(
    to host: String, port: UInt16, within milliseconds: Int32
  ) async -> Outcome {
    // Looking up a name cannot be interrupted. Its thread may end later than this function.
    let outcome = try? await first(
      of: { await Self.outcome(host, port, milliseconds) },
      {
        try await QuietClock.sleep(for: .milliseconds(milliseconds))
        return .tooSlow
      })
    return outcome ?? .tooSlow
  }

  /// Returns the outcome, or `nil` as soon as the task is cancelled.
  private static func outcome(_ host: String, _ port: UInt16, _ milliseconds: Int32) async -> Outcome? {
    let (outcomes, sent) = AsyncStream.makeStream(of: Outcome.self)
    let isStarted = BlockingThread.start {
      sent.yield(connect(host, port, milliseconds))
      sent.finish()
    }
    guard isStarted else { return .failed("no thread can be started") }
    for await outcome in outcomes { return outcome }
    return nil
  }

  private static func connect(_ host: String, _ port: UInt16, _ milliseconds: Int32) -> Outcome {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &found)
    guard failure == 0 else { return .failed(String(cString: gai_strerror(failure))) }
    defer { freeaddrinfo(found) }
    var outcome = Outcome.failed("the name has no address")
    var next = found
    while let address = next, outcome != .connected {
      outcome = connect(to: address.pointee, milliseconds)
      next = address.pointee.ai_next
    }
    return outcome
  }

  private static func connect(to address: addrinfo, _ milliseconds: Int32) -> Outcome {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.ai_family, type, 0)
    guard descriptor >= 0 else { return .failed(SystemError.reason(errno)) }
    defer { close(descriptor) }
    if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return .connected }
    guard errno == EINPROGRESS else { return .failed(SystemError.reason(errno)) }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return .tooSlow }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0 ? .connected : .failed(SystemError.reason(code))
  }
}

/// Addresses of machines, as the bytes that are sent.
enum MachineAddresses {
  /// Returns the bytes of an address as programs write it: four of IPv4, or sixteen of IPv6.
  static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
    return inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes.prefix(4)) : nil
  }

  /// Returns the addresses of all interfaces of this machine.
  static func all() -> Set<[UInt8]> {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: Set<[UInt8]> = []
    var next = first
    while let interface = next?.pointee {
      if let address = interface.ifa_addr.flatMap({ bytes(of: $0) }) { found.insert(address) }
      next = interface.ifa_next
    }
    return found
  }

  private static func bytes(of address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
    let pointer = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return withUnsafeBytes(of: pointer.loadUnaligned(as: sockaddr_in.self).sin_addr, Array.init)
    case AF_INET6:
      return withUnsafeBytes(of: pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr, Array.init)
    default: return nil
    }
  }
}
