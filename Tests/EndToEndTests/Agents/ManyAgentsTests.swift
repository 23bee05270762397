import Foundation
import TerminalTesting
import Testing

@Suite("Twenty agents in five folders ask at once", .timeLimit(.minutes(5)))
struct ManyAgentsTests {
  @Test("One alert at a time, in turn, and no answer goes to the wrong one")
  func twenty() async throws {
    let home = try AskingHome()
    _ = try home.writeAgent()
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    let folders = try (0..<5).map { try home.project("folder-\($0)") }
    try await withThrowingTaskGroup(of: (Int, ProcessRun).self) { group in
      for number in 0..<20 {
        let folder = folders[number % 5]
        let message = try home.message(
          "claude-bash", in: folder, replacing: ["touch x && echo yes": "touch agent-\(number)-end"])
        group.addTask { (number, try await home.agent(in: folder, [message])) }
      }
      _ = try await home.waitingIDs(20)
      var turns: [Int] = []
      for left in stride(from: 20, to: 0, by: -1) {
        try dashboard.expect("an armed alert, \(left) waiting") {
          $0.isArmed && $0.agents.count == 1 && $0.contains(" \(left) waiting")
        }
        let agent = try #require(dashboard.picture.agents.first)
        // The folder in the alert is that of the agent whose command it shows.
        #expect(dashboard.picture.contains("folder-\(agent % 5)"))
        turns.append(agent)
        dashboard.type(agent.isMultiple(of: 3) ? "a" : "d")
        try dashboard.expect("one less than \(left) waiting") { !$0.contains(" \(left) waiting") }
      }
      for try await (number, run) in group {
        let denied = AskingHome.denied("The person denied this in PermTUI.")
        #expect(run.output == (number.isMultiple(of: 3) ? AskingHome.allowed : denied), "agent \(number)")
      }
      // Agents in different folders are programs of their own, which take turns.
      for round in stride(from: 0, to: 20, by: 5) {
        #expect(Set(turns[round..<round + 5].map { $0 % 5 }).count == 5, "\(turns)")
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
