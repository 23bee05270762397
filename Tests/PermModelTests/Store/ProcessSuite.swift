import Foundation
import Testing

@testable import PermModel

/// Returns a number from the environment, so that a long run needs no other code.
func setting(_ name: String, _ usual: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
}

private let isLongRun = setting("PERMTUI_KILL_ROUNDS", 12) > 100

/// The tests run one after another, as each blocks a thread while it waits for its processes.
@Suite("Several processes, and their ends", .serialized, .timeLimit(.minutes(isLongRun ? 40 : 5)))
struct ProcessTests {
  @Test("A decision acknowledged before kill -9 is there afterwards")
  func killed() throws {
    let folder = try TestFolder()
    let environment = StoreEnvironment.linux(sessionFolder: nil)
    var acknowledged = 0
    for round in 0..<setting("PERMTUI_KILL_ROUNDS", 12) {
      let writer = try WriterProcess(["answers", folder.storePath, "round \(round)"])
      let wanted = Int.random(in: 1...12)
      var lines: [String] = []
      while lines.count < wanted, let line = writer.line() { lines.append(line) }
      usleep(.random(in: 0..<2_000))
      writer.kill()
      lines += writer.end()
      #expect(lines.count >= wanted)
      // Each round opens the store again, so the log is recovered each time.
      let store = try SQLiteStore(path: folder.storePath, environment: environment)
      for number in lines {
        let standing = try store.standing(
          of: Subject(label: "round \(round) \(number)"), capability: "photos")
        #expect(standing.allowed == [Atom("photos")], "round \(round), answer \(number)")
      }
      acknowledged += lines.count
      let kept = try store.overview().capabilities.first?.allowed ?? 0
      #expect(kept >= acknowledged)
    }
    #expect(
      !StoreCheckup(path: folder.storePath, now: environment.now().wall).findings.contains {
        $0.level == .problem
      })
  }

  @Test("Two processes that change at once end in what replaying the journal gives")
  func replay() throws {
    let folder = try TestFolder()
    let count = setting("PERMTUI_RANDOM_CHANGES", 250)
    let seeds = [UInt64.random(in: 0..<1_000_000), .random(in: 0..<1_000_000)]
    let store = try SQLiteStore(path: folder.storePath, environment: .linux(sessionFolder: nil))
    let writers = try seeds.map { try WriterProcess(["random", folder.storePath, "\($0)", "\(count)"]) }
    for writer in writers { #expect(writer.end() == [], "seeds \(seeds)") }
    for writer in writers { #expect(writer.status == 0, "seeds \(seeds)") }
    // A last change journals all decisions that have ended meanwhile; later ones are not checked.
    try store.setSuspended(true, by: here)
    let journal = try store.journal(.all, .newer(than: 0, .max))
    #expect(journal.map(\.id) == Array(1...Int64(journal.count)))
    let raw = try store.read { rows in
      try rows.decisions(DecisionFilter(), order: .program, after: nil, limit: .max)
    }
    #expect(Set(raw.map(\.withoutUse)) == replayed(journal), "seeds \(seeds)")
  }

  @Test(
    "A process that was stopped while it opened the store is named, instead of being waited for without end")
  func stoppedOpener() throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(path: folder.storePath, environment: .linux(sessionFolder: nil))
    let other = try TestFolder()
    let holder = try WriterProcess(
      ["answers", other.storePath, "other"],
      prefix: ["/usr/bin/flock", "--close", folder.path + "/permtui/permissions.changed"])
    #expect(holder.line() == "0")
    let begin = ContinuousClock.now
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: folder.storePath, environment: .linux(sessionFolder: nil))
    }
    #expect(error == .beingOpened(path: folder.storePath, process: holder.identifier))
    #expect(error?.description.contains("kill -CONT \(holder.identifier)") == true)
    #expect(ContinuousClock.now - begin > .seconds(5))
    #expect(try store.decisions().isEmpty, "an open store is not affected")
    holder.kill()
    #expect(throws: Never.self) {
      try SQLiteStore(path: folder.storePath, environment: .linux(sessionFolder: nil))
    }
  }

  @Test("Processes that make the store at the same time share one")
  func madeAtOnce() throws {
    for _ in 0..<4 {
      let folder = try TestFolder()
      let writers = try (0..<4).map { _ in try WriterProcess(["open", folder.storePath]) }
      for writer in writers { #expect(writer.end() == ["kept"]) }
      let store = try SQLiteStore(path: folder.storePath, environment: .linux(sessionFolder: nil))
      #expect(try store.journal(.all, .newest(9)).count == 4)
    }
  }

  @Test("Every change by another process is seen, once and in order")
  func seen() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(path: folder.storePath, environment: .linux(sessionFolder: nil))
    let changes = try store.changes()
    let writer = try WriterProcess(["answers", folder.storePath, "other"])
    var ids: [JournalEntry.ID] = []
    for try await change in changes {
      ids += change.entries.map(\.id)
      if ids.count >= 40 { break }
    }
    writer.kill()
    _ = writer.end()
    #expect(ids == Array(1...Int64(ids.count)))
  }

  /// Returns the decisions that remain after all changes of a journal.
  private func replayed(_ journal: [JournalEntry]) -> Set<Decision> {
    var decisions: [Decision.Key: Decision] = [:]
    for entry in journal {
      if let before = entry.before { decisions[before.key] = nil }
      if let after = entry.after { decisions[after.key] = after.withoutUse }
    }
    return Set(decisions.values)
  }
}

extension Decision {
  /// The decision without its uses, since uses are summed up and are not changes.
  fileprivate var withoutUse: Decision {
    var decision = self
    decision.lastUsed = nil
    return decision
  }
}
