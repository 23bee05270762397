import Foundation
import TerminalTesting
import Testing

@Suite("A day of work, with no keys but those that the screen shows", .timeLimit(.minutes(5)))
struct WorkdayTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    for number in 0..<10 {
      let script = "#!/bin/bash\npermtui request photos --as job\(number) --reason 'copy \(number)'\n"
      try home.write(script, to: "job\(number).sh")
    }
  }

  @Test("Ten requests are answered in line, out of order, together, undone, redone, and found in the journal")
  func day() async throws {
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    let home = home
    var runs: [Task<ProcessRun, any Error>] = []
    for number in 0..<10 {
      runs.append(Task { try await home.run(["job\(number).sh"]) })
      _ = try await home.waitingIDs(number + 1)
    }
    for (number, (lifetime, answer)) in [("4", "allow"), ("5", "deny"), ("6", "allow")].enumerated() {
      try dashboard.expectArmed("job\(number) asks to")
      try dashboard.pressKey(named: "keep for", as: lifetime)
      try dashboard.expect("(\(lifetime))")
      try dashboard.pressKey(named: answer)
    }
    try dashboard.expectArmed("job3 asks to")
    try dashboard.pressKey(named: "waiting")
    try pickOne(on: dashboard)
    try denyTwo(on: dashboard)
    try await undoAndRedo(on: dashboard)
    try findAll(on: dashboard)
    let outputs = try await [0, 1, 2, 3, 4, 7].asyncMap { try await runs[$0].value.output }
    #expect(outputs == ["allowed\n", "denied\n", "allowed\n", "denied\n", "denied\n", "allowed\n"])
    let kept = try await home.permtui("status", "photos").output
    for (job, words) in [("job0", "allowed"), ("job1", "denied"), ("job2", "allowed")] {
      #expect(kept.split(separator: "\n").contains { $0.contains(job) && $0.contains(words) }, "\(kept)")
    }
    #expect(kept.split(separator: "\n").contains { $0.contains("job2") && $0.contains("forever") }, "\(kept)")
    #expect(
      kept.split(separator: "\n").filter { $0.contains("job0") || $0.contains("job1") }
        .allSatisfy { !$0.contains("forever") }, "\(kept)")
    for id in try await home.waitingIDs(4) { _ = try await home.answer(id, "deny") }
    for run in runs { _ = try await run.value }
  }

  /// Finds a request by its name, and answers it before those that have waited longer.
  private func pickOne(on dashboard: TerminalSession) throws {
    try dashboard.expect("the list of seven") { $0.count(of: "photos: read") >= 7 }
    try dashboard.pressKey(named: "find")
    dashboard.type("job7")
    try dashboard.expect("the filtered list") { !$0.contains("job5") }
    try dashboard.pressKey(named: "done")
    try dashboard.pressKey(named: "open")
    try dashboard.expectArmed("job7 asks to")
    try dashboard.pressKey(named: "allow")
    try dashboard.expectGone("job7 asks to")
    try dashboard.pressKey(named: "shows all")
    try dashboard.expect("the list of six") { $0.contains("job9") && !$0.contains("job7") }
  }

  private func denyTwo(on dashboard: TerminalSession) throws {
    for mark in 1...2 {
      try dashboard.pressKey(named: "mark")
      try dashboard.expect("\(mark) marks") { $0.count(of: "+photos") == mark }
    }
    try dashboard.pressKey(named: "deny 2")
    try dashboard.expectArmed("Deny 2 requests?")
    try dashboard.pressKey(named: "keep for", as: "5")
    try dashboard.expect("(5)")
    try dashboard.pressKey(named: "yes")
    try dashboard.expect("Denied 2 of 2.")
  }

  private func undoAndRedo(on dashboard: TerminalSession) async throws {
    func denied() async throws -> [String] {
      let kept = try await home.permtui("status", "photos").output
      return ["job3", "job4"].filter { kept.contains($0) }
    }
    #expect(try await denied().count == 2)
    try dashboard.expect("Denied 2 of 2.  u undoes it")
    try dashboard.pressKey(named: "undo")
    try dashboard.expect("Undone: photos")
    #expect(try await denied().isEmpty)
    try dashboard.pressKey(named: "redoes it")
    try dashboard.expect("Redone: photos")
    #expect(try await denied().count == 2)
  }

  private func findAll(on dashboard: TerminalSession) throws {
    try dashboard.pressKey(named: "help")
    try dashboard.pressKey(explainedAs: "what happened")
    try dashboard.expect("the journal") { picture in
      picture.contains("undone") && picture.contains("redone")
        && [("allowed", ["job0", "job2", "job7"]), ("denied", ["job1", "job3", "job4"])].allSatisfy {
          word, names in
          names.allSatisfy { name in picture.lines.contains { $0.contains(word) && $0.contains(name) } }
        }
    }
    try dashboard.pressKey(named: "find")
    dashboard.type("asked")
    try dashboard.expect("ten questions") { $0.count(of: " asked ") >= 10 }
  }
}

// MARK: - Keys that the screen shows

extension TerminalSession {
  /// Presses the key that the screen shows with this label, for example `d` for `deny`.
  ///
  /// - Parameter choice: The key to press of those that share the label, for example `4` of `1-6`.
  fileprivate func pressKey(named label: String, as choice: String? = nil) throws {
    try expect("a key for '\(label)'") { $0.key(named: label) != nil }
    press(shown: choice ?? picture.key(named: label) ?? "")
  }

  /// Presses the key that help explains with these words.
  fileprivate func pressKey(explainedAs words: String) throws {
    try expect("a key for '\(words)'") { $0.key(explainedAs: words) != nil }
    press(shown: picture.key(explainedAs: words) ?? "")
  }

  private func press(shown key: String) {
    switch key {
    case "Enter": press(.enter)
    case "Esc": press(.escape)
    case "Space": type(" ")
    default: type(key)
    }
  }
}

extension ScreenPicture {
  /// The texts of the last row of the frame or the screen, between gaps of two blanks or more.
  private var items: [String] {
    lines.flatMap { line in
      line.replacingOccurrences(of: "│", with: "  ").components(separatedBy: "  ")
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  fileprivate func key(named label: String) -> String? {
    items.last {
      $0.hasSuffix(" \(label)") && $0.split(separator: " ").count == label.split(separator: " ").count + 1
    }
    .flatMap { $0.split(separator: " ").first.map(String.init) }
  }

  fileprivate func key(explainedAs words: String) -> String? {
    lines.first { $0.trimmingCharacters(in: .whitespaces).hasSuffix("  \(words)") }
      .flatMap { $0.split(separator: " ").first.map(String.init) }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var result: [T] = []
    for element in self { result.append(try await transform(element)) }
    return result
  }
}
