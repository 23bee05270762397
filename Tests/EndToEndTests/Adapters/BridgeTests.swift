import Foundation
import Glibc
import TerminalTesting
import Testing

@Suite("Answers over ssh", .timeLimit(.minutes(5)))
struct BridgeTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  /// Lets a program ask, and returns the run and the waiting request.
  private func asking() async throws -> (run: Task<ProcessRun, any Error>, waiting: AskingHome.Waiting) {
    // The test itself must not be the program that asks, because the server of ssh is its child.
    try home.write("#!/bin/bash\npermtui request photos --as backup --wait 60\n", to: "backup.sh")
    let run = Task { [home] in
      try await home.run(["backup.sh"])
    }
    return (run, try await home.pending(1)[0])
  }

  /// - Parameter machine: The id of the broker, as the bridge tells it.
  private func answer(
    _ waiting: AskingHome.Waiting, _ verdict: String = "allow", on machine: String? = nil
  ) -> String {
    let end = machine.map { "@\($0)" } ?? ""
    return MachineServer.call(
      "Answer",
      #"{"id":"\#(waiting.id)","answer":{"verdict":"\#(verdict)"},"digest":"\#(waiting.digest)\#(end)","origin":"dashboard 4.x"}"#
    )
  }

  /// Returns the id of the broker behind a bridge.
  private func id(_ machine: MachineServer) async throws -> String {
    let login = try await machine.bridge(MachineServer.hello)
    let reply = try #require(login.replies.first, "\(login)")
    return String(try #require(try /"machine":"([0-9a-f]{32})"/.firstMatch(in: reply)).1)
  }

  private var allow: String { MachineServer.call("Allow", #"{"program":"backup","capability":"photos"}"#) }

  @Test("The operator whom the key's line names answers, and the journal says so", .enabled(if: isRoot))
  func named() async throws {
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana")
    let (run, waiting) = try await asking()
    let mixedUp = try await machine.bridge(
      answer(waiting), answer(waiting, on: String(repeating: "a", count: 32)))
    #expect(
      mixedUp.replies.count == 2 && mixedUp.replies.allSatisfy { $0.contains("does not end with @") },
      "\(mixedUp)")
    let login = try await machine.bridge(MachineServer.hello, answer(waiting, on: try await id(machine)))
    #expect(login.replies.count == 2, "\(login)")
    #expect(login.replies.first?.contains(#""operator":"ana""#) == true)
    #expect(login.replies.last == #"{"parameters":{}}"#, "\(login)")
    #expect(try await run.value.ending == .exited(0))
    let log = try await home.permtui("log", "--kind", "answered")
    #expect(log.output.contains("by the operator ana"), "\(log)")
    let json = try await home.permtui("log", "--kind", "answered", "--json").output
    #expect(json.contains(#""by":"dashboard 4.x as ana""#), "\(json)")
    withExtendedLifetime(broker) {}
  }

  @Test(
    "The key runs nothing but its own bridge, whatever the client wants to run",
    .enabled(if: isRoot),
    arguments: ["id", "permtui bridge --as boss --may rules", "permtui allow backup photos"])
  func onlyBridge(_ command: String) async throws {
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana")
    let login = try await machine.bridge(MachineServer.hello, allow, wanting: command)
    #expect(login.replies.first?.contains(#""operator":"ana""#) == true, "\(login)")
    #expect(login.replies.first?.contains(#""passes":"answers""#) == true, "\(login)")
    #expect(login.replies.last?.contains("MayNotChange") == true, "\(login)")
    #expect(try await !home.permtui("status", "photos").output.contains("allowed"))
    withExtendedLifetime(broker) {}
  }

  @Test("The client may ask for less than its key allows")
  func less() async throws {
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana --may rules")
    let login = try await machine.bridge(
      MachineServer.hello, MachineServer.call("Panic"), wanting: "permtui bridge --only watch")
    #expect(login.replies.first?.contains(#""passes":"watch""#) == true, "\(login)")
    #expect(login.replies.last?.contains("MayNotChange") == true, "\(login)")
    withExtendedLifetime(broker) {}
  }

  @Test("A key with rules decides, and ends a panic that others may only begin", .enabled(if: isRoot))
  func rules() async throws {
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana --may rules")
    let lift = MachineServer.call("Panic", #"{"lift":true}"#)
    let login = try await machine.bridge(MachineServer.call("Panic"), lift, allow)
    #expect(login.replies.count == 3, "\(login)")
    #expect(login.replies.allSatisfy { !$0.contains("error") }, "\(login)")
    #expect(try await home.permtui("status", "photos").output.contains("operator ana"))
    withExtendedLifetime(broker) {}
  }

  @Test("A name that no forced command gave answers nothing: on this machine, and with the user's own key")
  func liar() async throws {
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana")
    let (run, waiting) = try await asking()
    let answer = answer(waiting, on: try await id(machine))
    let login = try await machine.own("permtui bridge --as boss", answer)
    #expect(login.replies.last?.contains("it is not certain that boss answers") == true, "\(login)")
    let local = try await home.run(
      ["bash", "-c", #"printf '%s\0' "$1" | permtui bridge --as boss"#, "-", answer])
    #expect(local.output.contains("it is not certain that boss answers"), "\(local)")
    let log = try await home.permtui("log", "--kind", "refused").output
    #expect(log.contains("as boss, whom no forced command names"), "\(log)")
    #expect(try await home.pending(1).map(\.id) == [waiting.id])
    _ = try await home.answer(waiting.id, "deny")
    _ = try await run.value
    withExtendedLifetime(broker) {}
  }

  @Test("While an agent is known, no login from this machine changes anything", .enabled(if: isRoot))
  func fromHere() async throws {
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana --may rules")
    try await letAgentAsk()
    let command = try await machine.own("permtui allow backup photos")
    #expect(command.run.messages.contains("this login over ssh may come from this machine"), "\(command)")
    let bridge = try await machine.bridge(allow)
    #expect(bridge.replies.last?.contains("may come from this machine") == true, "\(bridge)")
    #expect(try await !home.permtui("status", "photos").output.contains("allowed"))
    let log = try await home.permtui("log", "--kind", "refused").output
    #expect(log.contains("over ssh from this machine, where an agent asks"), "\(log)")
    withExtendedLifetime(broker) {}
  }

  @Test("While an agent is known, a login from another machine answers", .enabled(if: isRoot))
  func fromElsewhere() async throws {
    let network: OtherNetwork
    do {
      network = try await OtherNetwork(0)
    } catch {
      print("Skipped: \(error)")
      return
    }
    let broker = try home.broker()
    let machine = try await MachineServer(home, bridge: "--as ana --may rules", address: network.here)
    try await letAgentAsk()
    let login = try await machine.bridge(allow, through: network.prefix, at: network.here)
    #expect(login.replies.last?.contains("error") == false, "\(login)")
    #expect(try await home.permtui("status", "photos").output.contains("operator ana"))
    withExtendedLifetime((broker, network)) {}
  }

  /// Lets an agent ask through its hook, so that the broker knows one.
  private func letAgentAsk() async throws {
    // Without a dashboard that shows the question, the agent asks in its own dialogue.
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("second dashboard")
    let project = try home.project("proj")
    _ = try home.writeAgent()
    async let run = home.agent(in: project, [try home.message("claude-bash", in: project)])
    let waiting = try await home.pending(1)[0]
    _ = try await home.answer(waiting.id, "deny")
    _ = try await run
    withExtendedLifetime(dashboard) {}
  }

  @Test(
    "Without a broker, the bridge starts one that stays, in a session, a folder and an environment of its own"
  )
  func starts() async throws {
    let made = ["PERMTUI_SECRET": "from the client", "LC_NAME": "x"]
    let run = try await home.run(
      [
        "bash", "-c", #"exec 7< "$HOME"; printf '%s\0' "$1" | permtui bridge 7<&7"#, "-", MachineServer.hello,
      ],
      environment: made)
    #expect(run.output.contains(#""passes":"answers""#), "\(run)")
    let broker = try #require(servingProcess(), "\(run)")
    defer { kill(broker, SIGTERM) }
    let folder = "/proc/\(broker)"
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/cwd") == "/")
    #expect(getsid(broker) == broker)
    let variables = try Data(contentsOf: URL(filePath: folder + "/environ"))
    let text = String(decoding: variables, as: UTF8.self)
    #expect(!text.contains("PERMTUI_SECRET") && !text.contains("LC_NAME"), "\(text)")
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
    }
    #expect(!descriptors.contains(home.folder.path), "\(descriptors)")
    #expect(!descriptors.contains { $0.hasPrefix("pipe:") }, "\(descriptors)")
    let again = try await home.run(
      ["bash", "-c", #"printf '%s\0' "$1" | permtui bridge"#, "-", MachineServer.call("Pending")])
    #expect(again.output.contains("requests"), "\(again)")
    #expect(servingProcess() == broker)
  }

  /// Returns the process that serves this home without a screen.
  private func servingProcess() -> Int32? {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { Int32($0) }.first { process in
      guard let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")),
        let variables = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
      else { return false }
      return line.split(separator: 0).dropFirst().first.map { $0.elementsEqual("serve".utf8) } == true
        && variables.range(of: Data("HOME=\(home.folder.path)".utf8)) != nil
    }
  }

  @Test("Two bridges that start at once have one broker")
  func race() async throws {
    let line = #"for i in 1 2 3 4; do printf '%s\0' "$1" | permtui bridge & done; wait"#
    let run = try await home.run(["bash", "-c", line, "-", MachineServer.call("Pending")])
    #expect(run.output.split(separator: "\0").count { $0.contains("requests") } == 4, "\(run)")
    if let broker = servingProcess() { kill(broker, SIGTERM) }
  }

  @Test(
    "Arguments that cannot be meant are refused",
    arguments: [
      ["--as", "All"], ["--as", "all"], ["--as", "a b"], ["--only", "answers"], ["--may", "all"],
      ["--only", "watch", "--may", "rules"],
    ])
  func usage(_ arguments: [String]) async throws {
    let run = try await home.run(["permtui", "bridge"] + arguments)
    #expect(run.ending == .exited(64), "\(run)")
    #expect(servingProcess() == nil)
  }
}

/// Whether the tests run as root, so that their server of ssh is root's.
private let isRoot = MachineServer.missing == nil
