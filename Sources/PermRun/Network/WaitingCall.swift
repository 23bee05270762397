import CWalls

/// A call that a thread inside waits for. It is ended exactly once.
struct WaitingCall: Sendable {
  let calls: Int32
  let request: walls_request

  /// The state of a call after a step.
  enum Outcome {
    /// It is ended with this error number, or with success.
    case ends(Int32)
    /// A person is asked.
    case waits
  }

  var isWaiting: Bool { walls_is_waiting(calls, request.id) != 0 }

  func end(_ error: Int32) { walls_end_call(calls, request.id, error) }

  /// Performs a step of the call, and ends the call unless a person is asked.
  func perform(_ step: () throws(Failure) -> Outcome) {
    do throws(Failure) {
      if case .ends(let error) = try step() { end(error) }
    } catch {
      end(error.code)
    }
  }

  /// Copies the address from the program's memory. This is done once: the program could change it later.
  func address() throws(Failure) -> SocketAddress {
    let count = Int(request.number)
    guard (0...SocketAddress.longest).contains(count) else { throw Failure(EINVAL) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard count == 0 || walls_copy_memory(request.thread, request.address, &bytes, count) == 0 else {
      throw Failure(EFAULT)
    }
    return SocketAddress(bytes: bytes)
  }

  /// Puts a socket in the place of the program's own.
  func put(_ socket: Int32) throws(Failure) {
    let closes = walls_closes_on_exec(request.thread, request.descriptor)
    _ = try checked(walls_put_socket(calls, request.id, socket, request.descriptor, closes))
  }
}

/// The warden's copy of a socket for which a program has made a call.
final class TakenSocket {
  let descriptor: Int32
  let facts: walls_socket

  init(_ call: WaitingCall) throws(Failure) {
    descriptor = try checked(walls_take_descriptor(call.request.thread, call.request.descriptor))
    var facts = walls_socket()
    let code = walls_describe_socket(descriptor, &facts) == 0 ? 0 : walls_error()
    self.facts = facts
    // Only now is it certain that the number of the thread was not that of another one by then.
    if code != 0 || !call.isWaiting { throw Failure(code == 0 ? EBADF : code) }
  }

  deinit { close(descriptor) }

  var isStream: Bool { facts.type == Int32(SOCK_STREAM.rawValue) }
  var isOfInternet: Bool { [AF_INET, AF_INET6].contains(facts.family) }
}
