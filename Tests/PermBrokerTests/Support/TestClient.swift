import Foundation
import Machine

@testable import PermBroker

/// A connection that tests can wait for.
///
/// `BrokerConnection` waits in the calling thread. The threads that tests run on also run the server, so the waiting is
/// done on a queue's thread.
final class TestClient: @unchecked Sendable {
  // Only `queue` touches the connection; it is gone once the last work on the queue is done.
  private var connection: BrokerConnection?
  private let queue = DispatchQueue(label: "test client")

  init(to socket: BrokerSocket, at address: BrokerAddress) throws {
    connection = try BrokerConnection(to: socket, among: [address])
  }

  /// The inode number of this end's socket.
  func socket() async throws -> UInt32 {
    let inode = try await perform { FileStatus(of: $0.descriptor)?.inode }
    return UInt32(inode ?? 0)
  }

  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (BrokerConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result {
            guard let connection else { throw BrokerError.disconnected }
            return try work(connection)
          })
      }
    }
  }

  /// Returns the reply that ends a request, after any that report that it waits.
  func end() async throws -> Methods.Request.Reply {
    while true {
      let reply = try await next(of: Methods.Request.self)
      if reply.state != .waiting { return reply }
    }
  }

  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    // However busy the machine is, the broker is not taken for stopped.
    try await perform { try $0.call(Method.self, parameters, within: .seconds(240)) }
  }

  func send<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, more: Bool = true
  ) async throws {
    try await perform { try $0.send(Method.self, parameters, more: more) }
  }

  func next<Method: BrokerMethod>(of method: Method.Type) async throws -> Method.Reply {
    try await perform { try $0.next(of: Method.self).reply }
  }

  func nextContinues<Method: BrokerMethod>(of method: Method.Type) async throws -> Bool {
    try await perform { try $0.next(of: Method.self).continues }
  }

  /// Whether a reply has already arrived.
  func hasReply<Method: BrokerMethod>(of method: Method.Type) async throws -> Bool {
    try await perform { try $0.buffered(of: Method.self) != nil }
  }

  /// Sends bytes unchanged.
  func sendRaw(_ text: String) async throws { try await sendRaw(Data(text.utf8)) }

  func sendRaw(_ bytes: Data) async throws {
    try await perform { connection in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // The other side may have stopped reading.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Sends the same bytes again and again until the other side accepts no more for a while, and returns their number.
  func sendWithoutWaiting(_ bytes: Data, _ times: Int) async throws -> Int {
    try await perform { connection in
      var taken = 0
      var entry = pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0)
      while taken < bytes.count * times, poll(&entry, 1, 500) == 1 {
        let rest = bytes.dropFirst(taken % bytes.count)
        let count = rest.withUnsafeBytes {
          // MSG_DONTWAIT, which the module does not show as a plain number.
          Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | 0x40)
        }
        guard count > 0 else { break }
        taken += count
      }
      return taken
    }
  }

  /// Closes the connection, like a program that ends.
  func disconnect() async {
    try? await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { [self] in
        connection = nil
        continuation.resume()
      }
    }
  }
}
