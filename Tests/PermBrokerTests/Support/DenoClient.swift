import Dispatch
import Foundation

@testable import PermBroker

/// A client that speaks Deno's protocol, as a process of Deno does.
final class DenoClient: @unchecked Sendable {
  // Only `queue` touches the descriptor and the bytes.
  private var descriptor: Int32
  private var bytes: [UInt8] = []
  private var lastID = 0
  private let queue = DispatchQueue(label: "deno client")

  init(at address: BrokerAddress) throws {
    descriptor = try UnixSocket.connectToOwn(.deno, at: address)
  }

  struct Reply: Decodable, Equatable {
    var id: UInt64
    var result: String
    var reason: String?
  }

  private func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// Sends a question, and returns the reply.
  @discardableResult
  func ask(_ permission: String, _ value: String?) async throws -> Reply {
    try await send(permission, value)
    return try await reply()
  }

  func send(_ permission: String, _ value: String?, pid: Int32 = getpid()) async throws {
    let text = try JSONEncoder().encode(value)
    let id = try await perform { [self] in
      lastID += 1
      return lastID
    }
    try await sendRaw(
      "{\"v\":1,\"pid\":\(pid),\"id\":\(id),\"datetime\":\"2026-11-21T23:05:25+00:00\","
        + "\"permission\":\"\(permission)\",\"value\":\(String(decoding: text, as: UTF8.self))}\n")
  }

  func sendRaw(_ text: String) async throws {
    try await perform { [self] in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw BrokerError.disconnected }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Waits for a reply. Throws an error if the connection is closed.
  func reply() async throws -> Reply {
    try await perform { [self] in
      while true {
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          defer { bytes.removeFirst(end + 1) }
          return try JSONDecoder().decode(Reply.self, from: Data(bytes[..<end]))
        }
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw BrokerError.disconnected }
        bytes += chunk.prefix(count)
      }
    }
  }

  /// Closes the connection, as the end of the process does.
  func disconnect() async {
    try? await perform { [self] in
      close(descriptor)
      descriptor = -1
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
