import Foundation
import TerminalTesting
import Testing

@Suite("Two dashboards and ten programs that ask at once", .timeLimit(.minutes(5)))
struct ManyProgramsTests {
  @Test(
    "Each request is shown on both dashboards and answered once; when one dashboard goes, the other takes over"
  )
  func tenAtOnce() async throws {
    let home = try AskingHome()
    let first = try home.terminalPermtui()
    try first.expect("listening")
    let second = try home.terminalPermtui()
    try second.expect("second dashboard")
    let names = (0..<10).map { "program-\($0)" }
    for name in names { try home.write("#!/bin/bash\npermtui request photos\n:\n", to: name) }
    try await withThrowingTaskGroup(of: ProcessRun.self) { group in
      for name in names { group.addTask { try await home.run([name]) } }
      _ = try await home.waitingIDs(10)
      try first.expect("10 waiting")
      for left in stride(from: 10, to: 5, by: -1) { try answer("a", at: second, left) }
      try first.expect("was allowed by another dashboard (pid ")
      // The broker goes away; its alert remains on the screen, and stays only if the next broker asks the same first.
      try second.expect("an armed request") { $0.isArmedRequest }
      first.signal(SIGTERM)
      _ = try first.waitForEnd()
      try second.expect("listening")
      try second.expect("the next broker's alert") { $0.contains("Withdrawn") || $0.isArmedRequest }
      if second.picture.contains("Withdrawn") { second.press(.escape) }
      for left in stride(from: 5, to: 0, by: -1) { try answer("d", at: second, left) }
      var outputs: [String] = []
      for try await run in group { outputs.append(run.output) }
      #expect(
        outputs.sorted() == Array(repeating: "allowed\n", count: 5) + Array(repeating: "denied\n", count: 5))
    }
    let log = try await home.permtui("log", "--kind", "answered").output.split(separator: "\n")
    #expect(log.count == 10, "\(log)")
    second.type("q")
    _ = try second.waitForEnd()
  }

  private func answer(_ key: String, at dashboard: TerminalSession, _ left: Int) throws {
    try dashboard.expect("an armed request, \(left) waiting") {
      $0.isArmedRequest && $0.contains(" \(left) waiting")
    }
    dashboard.type(key)
    try dashboard.expect("one less than \(left) waiting") { !$0.contains(" \(left) waiting") }
  }
}

extension ScreenPicture {
  fileprivate var isArmedRequest: Bool { contains("asks to read your photos") && isArmed }
}
