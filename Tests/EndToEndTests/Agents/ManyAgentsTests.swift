import Foundation
import TerminalTesting
import Testing

@Suite("Twenty agents in five folders ask at once", .timeLimit(.minutes(5)))
struct ManyAgentsTests {
  @Test("One alert at a time, in turn, and no answer goes to the wrong one")
  func twenty() async throws {
    let home = try AskingHome()
    let agents = ["claude", "codex"]
    for agent in agents { _ = try home.writeAgent(agent) }
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    let folders = try (0..<5).map { try home.project("folder-\($0)") }
    try await withThrowingTaskGroup(of: (Int, ProcessRun).self) { group in
      for number in 0..<20 {
        let (agent, folder) = (agents[number % 2], folders[number % 5])
        let message = try home.message(
          "\(agent)-bash", in: folder,
          replacing: [
            "touch x && echo yes": "touch agent-\(number)-end",
            "git fetch origin": "touch agent-\(number)-end",
          ])
        group.addTask { (number, try await home.agent(agent, in: folder, [message])) }
      }
      _ = try await home.waitingIDs(20)
      var turns: [Int] = []
      for left in stride(from: 20, to: 0, by: -1) {
        try dashboard.expect("an armed alert, \(left) waiting") {
          $0.isArmed && $0.agents.count == 1 && $0.contains(" \(left) waiting")
        }
        let agent = try #require(dashboard.picture.agents.first)
        // The alert names the agent and the folder that belong to the command.
        #expect(dashboard.picture.contains("\(agents[agent % 2]) in "))
        #expect(dashboard.picture.contains("folder-\(agent % 5)"))
        turns.append(agent)
        dashboard.type(agent.isMultiple(of: 3) ? "a" : "d")
        try dashboard.expect("one less than \(left) waiting") { !$0.contains(" \(left) waiting") }
      }
      for try await (number, run) in group {
        let denied = AskingHome.denied("The person denied this in PermTUI.")
        #expect(run.output == (number.isMultiple(of: 3) ? AskingHome.allowed : denied), "agent \(number)")
      }
      // The two programs take turns, however many sessions and folders each has.
      for round in stride(from: 0, to: 20, by: 2) {
        #expect(turns[round] % 2 != turns[round + 1] % 2, "\(turns)")
      }
    }
  }
}

extension ScreenPicture {
  /// The numbers of the agents whose commands are shown as values.
  fileprivate var agents: Set<Int> {
    Set(
      lines.filter { $0.contains("Command") }.compactMap { line in
        line.firstMatch(of: /touch agent-(\d+)-end/).flatMap { Int($0.1) }
      })
  }
}
