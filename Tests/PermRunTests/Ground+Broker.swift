import Foundation
import TerminalTesting
import Waiting

// Runs whose questions are asked at a broker, as a person's are.
extension Ground {
  /// A request that waits at the broker.
  struct Pending: Decodable {
    struct Program: Decodable { var label: String }

    var id: String
    var digest: String
    var program: Program
    var requirement: [String]
  }

  /// Starts a command behind walls, as `permtui run` does.
  func startRun(_ options: [String] = [], _ command: String...) throws -> Running {
    try start(runCommand(command, options))
  }

  /// Runs a command behind walls, as `permtui run` does.
  func endedRun(_ options: [String] = [], _ command: String...) async throws -> ProcessRun {
    try await run(runCommand(command, options))
  }

  private func runCommand(_ command: [String], _ options: [String]) -> [String] {
    [user.program("permtui-run"), "--fuse", user.fuse, "--store", store] + options + ["--"] + command
  }

  /// The requests that wait.
  func pending() async throws -> [Pending] {
    let list = try await permtui("pending", "--json")
    return try list.output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Pending.self, from: Data(line.utf8))
    }
  }

  /// Waits until something waits, and returns it.
  func untilPending(_ requirement: String) async throws -> Pending { try await untilPending([requirement]) }

  /// Waits until a request for all of these waits, and returns it.
  func untilPending(_ requirements: Set<String>) async throws -> Pending {
    var found: Pending?
    try await until {
      found = try await pending().first { Set($0.requirement) == requirements }
      return found != nil
    }
    guard let found else { throw OrdinaryUser.Missing("nothing waits") }
    return found
  }

  /// Allows all that a program asks for until it ends. Returns what that was.
  func answerAll(until running: Running) async throws -> [String] {
    var asked: [String] = []
    try await until {
      for pending in try await pending() {
        let run = try await run(answerCommand(pending, ["allow"]))
        if run.ending == .exited(0) { asked.append(pending.requirement.sorted().joined(separator: " ")) }
        // Another thread may have come to ask for the same meanwhile; then a person looks again, too.
        let isLate = run.messages.contains("look again") || run.messages.contains("no request")
        guard run.ending == .exited(0) || isLate else {
          throw OrdinaryUser.Missing("answer: \(run.messages)")
        }
      }
      return !running.isRunning
    }
    return asked
  }

  func untilNothingWaits() async throws { try await until { try await pending().isEmpty } }

  /// Answers a request, as a person does who has read it.
  func answer(_ pending: Pending, _ words: String...) async throws {
    let run = try await run(answerCommand(pending, words))
    guard run.ending == .exited(0) else { throw OrdinaryUser.Missing("answer: \(run.messages)") }
  }

  private func answerCommand(_ pending: Pending, _ words: [String]) -> [String] {
    [user.program("permtui"), "--store", store, "answer", pending.id] + words + ["--digest", pending.digest]
  }

  /// Runs a command of `permtui`.
  func permtui(_ words: String...) async throws -> ProcessRun {
    try await run([user.program("permtui"), "--store", store] + words)
  }

  /// The processes of brokers that serve this ground's store, also those that a run has started.
  var brokers: [pid_t] {
    let line = "\0--store\0\(store)\0serve\0"
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { pid_t($0) }.filter { process in
      (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?.hasSuffix(line) == true
    }
  }

  /// Kills the brokers, and returns them.
  @discardableResult
  func killBrokers() -> [pid_t] {
    let brokers = brokers
    for broker in brokers { kill(broker, SIGKILL) }
    return brokers
  }

  /// Kills the brokers, and waits until their locks are free.
  func endBrokers() async throws {
    let killed = killBrokers()
    try await until { killed.allSatisfy(Self.hasEnded) }
  }

  /// Whether a process is gone, or a zombie with all of its threads gone, which holds nothing.
  private static func hasEnded(_ process: pid_t) -> Bool {
    let folder = "/proc/\(process)"
    guard let stat = try? String(contentsOfFile: folder + "/stat", encoding: .utf8) else { return true }
    let isZombie = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].hasPrefix(") Z")
    let threads = try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")
    return isZombie && (threads?.count ?? 0) <= 1
  }
}
