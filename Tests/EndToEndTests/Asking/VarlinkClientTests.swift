import Foundation
import TerminalTesting
import Testing

@Suite("An independent Varlink client", .timeLimit(.minutes(5)))
struct VarlinkClientTests {
  /// Returns the Python that has the client, or nil if there is none.
  private static func python() async throws -> String? {
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    let run = try await ProcessRun.run(
      "/bin/bash", [Repository.path("scripts/varlink-client")], environment: environment,
      limit: .seconds(120))
    guard run.ending == .exited(0) else {
      print("Skipped, as the independent Varlink client is not here: \(run.messages)")
      // If it has to run here, its absence is a failure.
      #expect(environment["CI"] == nil, "\(run.messages)")
      return nil
    }
    return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("introspects the interface, calls every method, and follows a stream")
  func callsEverything() async throws {
    guard let python = try await Self.python() else { return }
    let home = try AskingHome()
    let broker = try home.broker()
    let client = Repository.path("Tests/Support/Varlink/client.py")
    let run = try await home.run([python, client, home.sockets])
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(
      run.output
        == "Allow Answer AnswerHere Ask AskHere Attach Decide Deny Enter Forget Hold Import Log Look Mute OwnCapabilities Panic Pending Redo Request RequestFor Respond State Status Supervise Unask Unasked Undo Unmute Watch Withdraw\n"
    )
    withExtendedLifetime(broker) {}
  }

  @Test("shows the interface on its command line as the documentation has it")
  func commandLine() async throws {
    guard let python = try await Self.python() else { return }
    let home = try AskingHome()
    let broker = try home.broker()
    let address = "unix:\(home.sockets)/control"
    let help = try await home.run([python, "-m", "varlink.cli", "help", "\(address)/io.permtui.Broker"])
    #expect(help.ending == .exited(0), "\(help.messages)")
    let documented = try String(
      contentsOfFile: Repository.path("Sources/PermBroker/Methods/io.permtui.Broker.varlink"), encoding: .utf8
    )
    for line in documented.split(separator: "\n") where line.hasPrefix("method ") || line.hasPrefix("error ")
    {
      let name = line.split(separator: " ")[1].prefix { $0 != "(" }
      #expect(help.output.contains(name), "\(name)")
    }
    let call = try await home.run(
      [python, "-m", "varlink.cli", "call", "\(address)/io.permtui.Broker.State", "{}"])
    #expect(call.output.contains("\"presenters\": 0"), "\(call.output) \(call.messages)")
    withExtendedLifetime(broker) {}
  }
}
