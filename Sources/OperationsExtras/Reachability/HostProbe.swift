import Glibc
import Machine

/// A test of whether one host can be reached. The methods block the calling thread.
struct HostProbe: Sendable {
  let host: NetworkHost

  /// Returns success if at least one of the host's addresses can be reached.
  func result() -> Result<Void, ReachabilityError> {
    var first: UnsafeMutablePointer<addrinfo>?
    var wanted = addrinfo()
    wanted.ai_socktype = Int32((host.port == nil ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    let code = getaddrinfo(host.name, host.port.map(String.init) ?? "9", &wanted, &first)
    guard code == 0 else {
      return .failure(.unknownHost(host.name, reason: String(cString: gai_strerror(code))))
    }
    defer { freeaddrinfo(first) }
    var result = Result<Void, ReachabilityError>.failure(.noRoute(host: host.name))
    var next = first
    while let address = next?.pointee {
      result = connect(address)
      if case .success = result { break }
      next = address.ai_next
    }
    return result
  }

  /// Connects a socket to an address. Without a port, nothing is sent: the kernel only looks for a route.
  private func connect(_ address: addrinfo) -> Result<Void, ReachabilityError> {
    let kind = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.ai_family, kind, address.ai_protocol)
    guard descriptor >= 0 else { return .failure(failure(errno)) }
    defer { close(descriptor) }
    if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return .success(()) }
    guard errno == EINPROGRESS else { return .failure(failure(errno)) }
    let code = waitForConnection(descriptor)
    return code == 0 ? .success(()) : .failure(failure(code))
  }

  /// Waits for the connection. Returns 0 if it is established; otherwise, an error number.
  private func waitForConnection(_ descriptor: Int32) -> Int32 {
    var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let (seconds, attoseconds) = min(max(host.patience, .zero), .seconds(3_600)).components
    let count = poll(&source, 1, Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    guard count > 0 else { return count == 0 ? ETIMEDOUT : errno }
    var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code
  }

  private func failure(_ code: Int32) -> ReachabilityError {
    guard let port = host.port, ![ENETUNREACH, EHOSTUNREACH, EAFNOSUPPORT].contains(code) else {
      return .noRoute(host: host.name)
    }
    return .noAnswer(host: host.name, port: port, reason: SystemError.reason(code))
  }
}
