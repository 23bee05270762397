import BenchmarkFigures
import Foundation
import PermModel

/// Measures the store beside a bare SQLite commit in the same run. The argument is the folder to work in, which
/// determines the cost of a flush; the default is the current folder.
@main
struct StoreBenchmark {
  private let folder: String
  private let environment = StoreEnvironment.linux(sessionFolder: nil)

  static func main() async throws {
    let base = CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
    let folder = base + "/.store-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    print("µs: min / median / p99 / max")
    let benchmark = StoreBenchmark(folder: folder)
    try benchmark.decide()
    try await benchmark.watch()
    try benchmark.look()
    try benchmark.values()
  }

  private func show(_ what: String, _ series: Series, _ more: String = "") {
    FigureFile.note(what, series.figures)
    print(what.padding(toLength: 44, withPad: " ", startingAt: 0) + series.text + more)
  }

  /// Measures a durable decision and a bare commit, in turns, because a disk's flush time drifts.
  private func decide() throws {
    let bare = try BareDatabase(path: folder + "/bare.sqlite")
    let store = try SQLiteStore(path: folder + "/small.sqlite", environment: environment)
    let clock = ContinuousClock()
    var commits: [Duration] = []
    var decisions: [Duration] = []
    for number in 0..<2_000 {
      commits.append(try clock.measure { try bare.keep("program-\(number)", "allow") })
      let ruling = Ruling(.allow, subject: LargeStore.subject(number), atoms: [LargeStore.atom(number)])
      decisions.append(try clock.measure { try store.decide(ruling, by: .library) })
    }
    let (commit, decision) = (Series(commits), Series(decisions))
    show("bare SQLite commit, synchronous = FULL", commit)
    show("durable decision", decision, ratio("durable decision", decision, commit))
  }

  /// Returns how many times longer the median of one series is than that of another.
  private func ratio(_ what: String, _ series: Series, _ other: Series) -> String {
    let ratio = (series.median / other.median * 100).rounded() / 100
    FigureFile.note("\(what), times a bare commit", [ratio, ratio, ratio])
    return "   \(ratio)x"
  }

  /// Measures the time from the end of a decision on one connection until another connection's watcher has read it.
  private func watch() async throws {
    let path = folder + "/watched.sqlite"
    let writer = try SQLiteStore(path: path, environment: environment)
    let store = try SQLiteStore(path: path, environment: environment)
    var changes = try store.changes().makeAsyncIterator()
    let clock = ContinuousClock()
    var delays: [Duration] = []
    for number in 0..<300 {
      let ruling = Ruling(.allow, subject: LargeStore.subject(number), atoms: [LargeStore.atom(number)])
      try writer.decide(ruling, by: .library)
      let decided = clock.now
      _ = try await changes.next()
      delays.append(clock.now - decided)
    }
    show("a change, until another store saw it", Series(delays))
  }

  private func look() throws {
    let large = try LargeStore(path: folder + "/large.sqlite", environment: environment)
    show(
      "open and overview, 100 000 + 1 000 000",
      try Series(15) { _ in _ = try SQLiteStore(path: large.path, environment: environment).overview() })
    let store = try SQLiteStore(path: large.path, environment: environment)
    show(
      "look-up among 100 000",
      try Series(50_000) { index in
        let number = (index &* 7919) % LargeStore.decisions
        let capability = LargeStore.atom(number).capability
        let standing = try store.standing(of: LargeStore.subject(number), capability: capability)
        precondition(standing.decisions.count == 1, "every program has one decision")
      })
    show(
      "50 decisions of a capability",
      try Series(200) { _ in
        let filter = DecisionFilter(capability: "photos")
        _ = try store.decisions(filter, order: .capability, after: nil, limit: 50)
      })
    show("50 programs", try Series(200) { _ = try store.programs(after: LargeStore.subject($0), limit: 50) })
    show("newest 50 of the journal", try Series(200) { _ in _ = try store.journal(.all, .newest(50)) })
    let filter = JournalFilter(label: "program-77")
    show("newest 50 of a program", try Series(200) { _ in _ = try store.journal(filter, .newest(50)) })
  }

  /// Measures look-ups and a durable decision among 100 000 decisions about values, 50 000 of them of one program.
  private func values() throws {
    let values = try ValueStore(path: folder + "/values.sqlite", environment: environment)
    let store = values.store
    show(
      "look-up of a decided value",
      try Series(50_000) { index in
        let number = (index &* 7919) % ValueStore.decisions
        let (subject, atom) = (ValueStore.subject(number), try ValueStore.atom(number))
        let standing = try store.standing(of: subject, capability: atom.capability, asking: [atom])
        precondition(standing.decisions.count == 1, "every value has one decision")
      })
    show(
      "look-up of an undecided value",
      try Series(50_000) { index in
        let atom = try ValueStore.file(ValueStore.decisions + index)
        let standing = try store.standing(of: ValueStore.agent, capability: "files", asking: [atom])
        precondition(standing.decisions.isEmpty, "no decision covers the value")
      })
    try answer(values)
    try decide(values)
  }

  /// Measures what an automatic answer costs the program that waits for it, and the answers of a busy second together.
  private func answer(_ values: ValueStore) throws {
    let book = AutomaticAnswerBook(values.store) { _ in try await Task.sleep(for: .seconds(3600)) }
    let decided = try (0..<1_000).map { number in
      let atom = try ValueStore.atom(number)
      let (subject, capability) = (ValueStore.agent, atom.capability)
      let standing = try values.store.standing(of: subject, capability: capability, asking: [atom])
      return AutomaticAnswer(
        number % 5 == 0 ? .deny : .allow, subject: subject, capability: capability, atoms: [atom],
        reason: "decided before", decisions: Array(standing.decisions.values))
    }
    show("an automatic answer, until it is noted", Series(10_000) { book.note(decided[$0 % 500]) })
    show(
      "10 000 of them, from 400 decisions, in one commit",
      Series(20) { _ in
        for number in 0..<10_000 { book.note(decided[number % 400]) }
        book.write()
      })
  }

  /// Measures a durable decision of the program with many values, and a bare commit, in turns.
  private func decide(_ values: ValueStore) throws {
    let bare = try BareDatabase(path: folder + "/bare-beside-values.sqlite")
    let clock = ContinuousClock()
    var commits: [Duration] = []
    var decisions: [Duration] = []
    for number in 0..<1_000 {
      commits.append(try clock.measure { try bare.keep("value-\(number)", "allow") })
      let atom = try ValueStore.file(ValueStore.decisions + number)
      let ruling = Ruling(number % 2 == 0 ? .allow : .deny, subject: ValueStore.agent, atoms: [atom])
      decisions.append(try clock.measure { try values.store.decide(ruling, by: .library) })
    }
    let (commit, decision) = (Series(commits), Series(decisions))
    show(
      "durable decision about a value", decision,
      ratio("durable decision about a value", decision, commit))
  }
}
