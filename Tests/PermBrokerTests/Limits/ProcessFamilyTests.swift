import Foundation
import Machine
import PermModel
import TerminalTesting
import Testing
import Waiting

@testable import PermBroker

@Suite("The family of a process", .timeLimit(.minutes(5)))
struct ProcessFamilyTests {
  @Test("is that of the outer terminal, however many terminals a program opens within it")
  func terminals() async throws {
    let folder = try TemporaryFolder()
    let inner = { (name: String) in
      "script -qec 'echo $$ >\(name).new; mv \(name).new \(name); sleep 600' /dev/null"
    }
    let session = try TerminalSession(
      TestedProgram(
        path: "/bin/sh", arguments: ["-c", "cd \(folder.path) && { \(inner("a")) & \(inner("b")) & wait; }"]))
    var processes: [Int32] = []
    for name in ["a", "b"] {
      let file = folder.file(name)
      try await until { FileManager.default.fileExists(atPath: file) }
      let text = try String(contentsOfFile: file, encoding: .utf8)
      processes.append(try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))))
    }
    let outer = ProcessFamily(of: session.process)
    #expect(processes.map { ProcessFamily(of: $0) } == [outer, outer])
    let terminals = processes.compactMap { ProcessStat(of: $0)?.terminal }
    #expect(
      Set(terminals).count == 2 && terminals.allSatisfy { $0 != ProcessStat(of: session.process)?.terminal })
  }
}
