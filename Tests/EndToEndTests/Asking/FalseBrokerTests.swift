import Foundation
import TerminalTesting
import Testing

/// A process that listens at the socket `control` in a broker's place.
@Suite("A broker that lies or is silent", .timeLimit(.minutes(5)))
struct FalseBrokerTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  /// Starts a process that answers every call with the same bytes, or not at all.
  private func broker(replying reply: String?) throws -> TerminalSession {
    let script = """
      import os, socket, sys
      folder, reply = sys.argv[1], sys.argv[2].encode()
      os.makedirs(folder, mode=0o700)
      server = socket.socket(socket.AF_UNIX)
      server.bind(folder + "/control")
      os.chmod(folder + "/control", 0o600)
      server.listen(64)
      print("false broker", flush=True)
      kept = []
      while True:
        connection = server.accept()[0]
        kept.append(connection)
        while reply and connection.recv(65536):
          connection.sendall(reply + b"\\0")
      """
    let session = try home.terminal(["python3", "-c", script, home.sockets, reply ?? ""])
    try session.expect("false broker")
    return session
  }

  private static let entry =
    #"{"id":1,"at":-9223372036854775808,"kind":"suspended","origin":"command-line","atoms":[],"count":1}"#

  @Test("does not keep 'log' going by sending the same page again", arguments: [[], ["--json"]])
  func lying(options: [String]) async throws {
    let broker = try broker(replying: #"{"parameters":{"entries":[\#(Self.entry)]}}"#)
    let run = try await home.run([BuiltProgram.path, "log"] + options)
    #expect(run.ending == .exited(2), "\(run.output.prefix(300)) \(run.messages)")
    #expect(!run.messages.isEmpty)
    withExtendedLifetime(broker) {}
  }

  @Test("does not keep commands waiting without end", arguments: [["allow", "backup", "photos"], ["panic"]])
  func silent(command: [String]) async throws {
    let broker = try broker(replying: nil)
    let run = try await home.run([BuiltProgram.path] + command)
    #expect(run.ending == .exited(2), "\(run.output) \(run.messages)")
    #expect(run.messages.contains("if it was stopped, let it go on"), "\(run.messages)")
    withExtendedLifetime(broker) {}
  }

  @Test("does not keep commands from reading the store", arguments: ["log", "pending"])
  func silentReading(command: String) async throws {
    let broker = try broker(replying: nil)
    let run = try await home.run([BuiltProgram.path, command])
    #expect(run.ending == .exited(1), "\(run.output) \(run.messages)")
    #expect(
      run.messages.contains("the broker does not reply; this is what the store says"), "\(run.messages)")
    withExtendedLifetime(broker) {}
  }
}
