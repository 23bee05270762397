import Foundation
import PermModel

@testable import PermBroker

/// A run that a test supervises, in place of `permtui-run`.
final class TestRun: Sendable {
  static let id = "run-0123456789abcdef"
  /// The first process of every run: one that is there.
  static let first = TestBroker.program("/bin/tool").evidence.process

  private let broker: TestBroker
  private let stream: TestClient
  let id: String
  let subject: Subject

  init(
    _ broker: TestBroker, id: String = TestRun.id,
    _ change: (inout Methods.Supervise.Parameters) -> Void = { _ in }
  )
    async throws
  {
    self.broker = broker
    self.id = id
    stream = try broker.client(.control)
    try await stream.send(Methods.Supervise.self, try Self.parameters(broker, id, change))
    guard let program = try await stream.next(of: Methods.Supervise.self).subject else {
      throw BrokerError.disconnected
    }
    subject = program.subject
  }

  static func parameters(
    _ broker: TestBroker, _ id: String = TestRun.id,
    _ change: (inout Methods.Supervise.Parameters) -> Void = { _ in }
  ) throws -> Methods.Supervise.Parameters {
    let program = try broker.folder.write("#!/bin/sh\n", to: "tool.sh")
    var parameters = Methods.Supervise.Parameters(
      run: id, pid: first.pid, started: Int64(bitPattern: first.startTime), program: program,
      arguments: ["tool.sh"], folder: broker.folder.path)
    change(&parameters)
    return parameters
  }

  /// Asks on a connection of its own.
  func ask(
    _ path: String, part: String = "write", id question: String = UUID().uuidString.lowercased(),
    _ change: (inout Methods.Ask.Parameters) -> Void = { _ in }
  ) async throws -> String {
    var parameters = Methods.Ask.Parameters(
      run: id, id: question, capability: "files", values: [.init(part: part, scope: try Self.value(path))],
      name: "deno", pid: 4711, started: 47)
    change(&parameters)
    _ = try await broker.client(.control).call(Methods.Ask.self, parameters)
    return question
  }

  static func value(_ path: String) throws -> ScopeFields { ScopeFields(.path(try AbsolutePath(path))) }

  func unask(_ question: String) async throws {
    _ = try await broker.client(.control).call(Methods.Unask.self, .init(run: id, id: question))
  }

  /// Connects to `ask` for a process inside, as a warden does.
  ///
  /// - Parameter change: Changes what the warden says; `nil` if it says nothing.
  func guest(_ change: ((inout Methods.Enter.Parameters) -> Void)? = { _ in }) async throws -> TestClient {
    // The broker sees that this process connects, so it is the warden.
    broker.seeWarden { $0.identity?.pid = getpid() }
    let client = try broker.client()
    guard let change else { return client }
    var parameters = Methods.Enter.Parameters(
      run: id, socket: Int64(try await client.socket()), name: "claude", pid: 4711, started: 47,
      folder: broker.folder.path)
    change(&parameters)
    _ = try await broker.client(.control).call(Methods.Enter.self, parameters)
    return client
  }

  /// Waits for the end of the next question.
  func next() async throws -> (id: String?, state: Methods.Request.State?) {
    let reply = try await nextReply()
    return (reply.ended, reply.state)
  }

  func nextReply() async throws -> Methods.Supervise.Reply {
    try await stream.next(of: Methods.Supervise.self)
  }

  /// Whether the next message says that the run is to end.
  func isToEnd() async throws -> Bool { try await stream.next(of: Methods.Supervise.self).end == true }

  /// Ends the run, as the death of its warden does.
  func end() async { await stream.disconnect() }
}
