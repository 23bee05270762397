import Glibc

/// Waits without a limit; returns the descriptors that can be read.
func waitUntilReadable(_ descriptors: [Int32]) -> Set<Int32> {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR {}
  return Set(polled.filter { $0.revents != 0 }.map(\.fd))
}

/// Runs a body on a new thread that nobody waits for; returns whether there is one.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let result = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, box.toOpaque())
  guard result == 0 else {
    box.release()
    return false
  }
  pthread_detach(thread)
  return true
}
