import Machine
import Operations
import PermModel
import Testing

@testable import PermTUI

@Suite("Reading from the store", .timeLimit(.minutes(5)))
struct FeedTests {
  private static let many = 3_000
  private let store: MemoryStore

  init() throws {
    store = MemoryStore(environment: .linux(sessionFolder: nil))
    try store.importDecisions((0..<Self.many).map(Self.decision), by: .commandLine)
  }

  private static func decision(_ number: Int) -> Decision {
    Decision(
      subject: Subject(label: "program-\(number + 10_000)", path: "/bin/\(number)"),
      atom: Atom("photos", "read"),
      verdict: number % 3 == 0 ? .deny : .allow, lifetime: .forever, origin: .commandLine,
      decidedAt: Timestamp(seconds: Int64(number)))
  }

  /// The feed's messages, one after the other.
  private struct Sent {
    let feed: DashboardFeed
    private var actions: AsyncStream<Action>.Iterator

    init(_ store: MemoryStore) throws {
      let (stream, continuation) = AsyncStream.makeStream(of: Action.self)
      let services = DashboardServices(store: store)
      feed = DashboardFeed(services, reading: try StoreSnapshot(store)) { continuation.yield($0) }
      actions = stream.makeAsyncIterator()
    }

    /// Returns the next data for which `isMet` is true.
    mutating func data(where isMet: (DashboardData) -> Bool) async -> DashboardData? {
      while let action = await actions.next() {
        if case .changed(let data) = action, isMet(data) { return data }
      }
      return nil
    }

    mutating func news() async -> [DecisionNews]? {
      while let action = await actions.next() {
        if case .noticed(let news) = action { return news }
      }
      return nil
    }
  }

  @Test("The first screen has the counts of all, and only the first decisions")
  func first() async throws {
    var sent = try Sent(store)
    await sent.feed.reload()
    let data = try #require(await sent.data { _ in true })
    #expect(data.allowedCount == 2_000 && data.deniedCount == 1_000)
    #expect(data.decisions.count == 2 * StoreSnapshot.firstDecisions)
    #expect(data.journal.isEmpty)
    #expect(data.count(about: "photos") == Self.many)
  }

  @Test("A view gets all that it lists, and keeps it while others change it")
  func listed() async throws {
    var sent = try Sent(store)
    await sent.feed.take(StoreNeeds(decisions: .capability("photos")))
    let data = try #require(await sent.data { $0.scope == .capability("photos") })
    #expect(data.decisions(about: "photos").count == Self.many)

    let position = try store.overview(names: 0).position
    let gone = Self.decision(7).subject
    try store.forget(DecisionFilter(subject: gone), by: .commandLine)
    let entries = try store.journal(.all, .newer(than: position, 10))
    await sent.feed.take(StoreChange(entries: entries, position: entries.last?.id ?? 0))
    let after = try #require(await sent.data { $0.decisions.count == Self.many - 1 })
    #expect(after.decisions(for: gone).isEmpty)
    #expect(after.count(about: "photos") == Self.many - 1)
    let news = try #require(await sent.news())
    #expect(news.map(\.id.subject) == [gone] && news.allSatisfy(\.isGone))
  }

  @Test("Denials for everyone are known in every view, and once only")
  func everyone() async throws {
    let ruling = Ruling(.deny, subject: .everyone, atoms: [Atom("photos", "read")])
    try store.decide(ruling, by: .commandLine)
    let program = Self.decision(4).subject
    for scope in [DecisionScope.all, .capability("photos"), .capability("camera"), .program(program)] {
      var sent = try Sent(store)
      await sent.feed.take(StoreNeeds(decisions: scope))
      let data = try #require(await sent.data { $0.scope == scope })
      #expect(data.deniedToEveryone["photos"]?.count == 1, "\(scope)")
      #expect(ProgramStatus(of: program, in: data)["photos"] == .denied, "\(scope)")
    }
  }

  @Test("Decisions that are read once and changed by the journal are those that reading again gives")
  func incremental() async throws {
    for scope in [DecisionScope.all, .capability("photos"), .program(Self.decision(5).subject)] {
      var listed = try await ListedDecisions(scope, in: store)
      let position = try store.overview(names: 0).position
      try store.forget(DecisionFilter(subject: Self.decision(5).subject), by: .commandLine)
      try store.decide(
        Ruling(
          .deny, subject: Self.decision(4).subject, atoms: [Atom("photos", "read")], lifetime: .forever),
        by: .commandLine)
      try store.decide(
        Ruling(.allow, subject: Subject(label: "new"), atoms: [Atom("camera")], lifetime: .forever),
        by: .commandLine)
      try store.undo(by: .commandLine)
      let entries = try store.journal(.all, .newer(than: position, 100))
      listed.apply(entries)
      listed.apply(entries)
      #expect(listed.decisions == (try await ListedDecisions(scope, in: store)).decisions, "\(scope)")
    }
  }

  @Test("A request that is set aside is known as such, in line here and elsewhere")
  func setAside() async throws {
    let requests = ["one", "two"].map { Samples.request($0, "photos", Story.start) }
    for request in requests {
      _ = try store.open(request)
      try store.setAside(request.id, true, by: .commandLine)
    }
    var sent = try Sent(store)
    await sent.feed.reload()
    var data = try #require(await sent.data { _ in true })
    #expect(data.waiting.map(\.isSetAside) == [true, true])
    let here = Alert(id: Alert.ID(requests[0].id.text), content: .notice(Notice(title: "one")))
    await sent.feed.take([here])
    data = try #require(await sent.data { _ in true })
    #expect(data.waiting.map(\.isSetAside) == [true, true])
    try store.setAside(requests[0].id, false, by: .commandLine)
    await sent.feed.reload()
    data = try #require(await sent.data { _ in true })
    #expect(data.waiting.map(\.isSetAside) == [false, true])
  }

  @Test("The journal is read only while it is looked at, and more of it near its end")
  func journal() async throws {
    var story = Story()
    story.press("l")
    guard case .read(let needs)? = story.takeEffects().last else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(needs.journal == StoreNeeds.journalPage)
    var sent = try Sent(store)
    await sent.feed.take(needs)
    var data = try #require(await sent.data { !$0.journal.isEmpty })
    data.isProbed = true
    #expect(data.journal.count == StoreNeeds.journalPage)
    story.happen(.changed(data))
    _ = story.takeEffects()
    story.press("G")
    #expect(story.takeEffects().contains(.read(StoreNeeds(journal: 2 * StoreNeeds.journalPage))))
    story.press(.escape)
    #expect(story.takeEffects().contains(.read(StoreNeeds())))
  }

  @Test("A text is searched in the whole journal, and the search says how far it has come")
  func search() async throws {
    let oldest = try #require(try store.journal(.all, .newer(than: 0, 1)).first)
    let name = try #require(oldest.subject?.name)
    var sent = try Sent(store)
    await sent.feed.take(StoreNeeds(journal: StoreNeeds.journalPage))
    _ = try #require(await sent.data { !$0.journal.isEmpty })
    await sent.feed.take(StoreNeeds(journal: StoreNeeds.journalPage, search: name))
    let found = try #require(await sent.data { $0.search?.isWhole == true })
    #expect(found.search?.text == name && found.search?.goesOn == false)
    #expect(found.search?.reached == oldest.at)
    #expect(found.journal.last?.id == oldest.id)
    #expect(found.journal.count == StoreNeeds.journalPage + 1)

    await sent.feed.take(StoreNeeds(journal: StoreNeeds.journalPage, search: "program-"))
    let many = try #require(await sent.data { $0.search?.text == "program-" && $0.search?.goesOn == false })
    #expect(many.search?.isWhole == false, "it ends when there is more than a person looks through")
    #expect(Set(many.journal.map(\.id)).count == many.journal.count)

    await sent.feed.take(StoreNeeds(journal: StoreNeeds.journalPage))
    let after = try #require(await sent.data { $0.search == nil })
    #expect(after.journal.count == StoreNeeds.journalPage)
  }

  @Test("A row that leaves the newest rows while it is searched for is still found")
  func searchedMeanwhile() async throws {
    let newest = try #require(try store.journal(.all, .newest(1)).first)
    let name = try #require(newest.subject?.name)
    let needs = StoreNeeds(journal: StoreNeeds.journalPage, search: name)
    var sent = try Sent(store)
    await sent.feed.take(needs)
    _ = try #require(await sent.data { $0.search?.isWhole == true })
    for number in 0..<StoreNeeds.journalPage + 10 {
      try store.record(
        AutomaticAnswer(
          .allow, subject: Subject(label: "new-\(number)", path: "/bin/new"), capability: "photos",
          atoms: [Atom("photos", "read")], reason: "decided before"))
    }
    await sent.feed.take(StoreChange(entries: [], position: 0))
    let data = try #require(
      await sent.data { data in
        data.search?.isWhole == true && data.journal.contains { $0.program.hasPrefix("new-") }
      })
    #expect(data.journal.contains { $0.id == newest.id })
  }

  @Test("A day is read only while it is looked at, and grows with what happens")
  func day() async throws {
    var sent = try Sent(store)
    let now = LocalTime(store.environment.now().wall)
    let today = DayNumber(year: now.year, month: now.month, day: now.day)
    try answerByRule("git status", times: 300)
    await sent.feed.take(StoreNeeds(day: today))
    let first = try #require(await sent.data { $0.day != nil })
    #expect(first.day?.number == today && first.day?.programs.map(\.total.byRule) == [300])

    let position = try store.overview(names: 0).position
    try answerByRule("git diff", times: 2)
    let entries = try store.journal(.all, .newer(than: position, 10))
    await sent.feed.take(StoreChange(entries: entries, position: entries.last?.id ?? 0))
    let second = try #require(await sent.data { ($0.day?.programs.first?.total.byRule ?? 0) > 300 })
    #expect(second.day?.programs.map(\.total.byRule) == [302])

    await sent.feed.take(StoreNeeds(day: DayNumber(today.value - 1)))
    let before = try #require(await sent.data { $0.day.map { $0.number != today } ?? false })
    #expect(before.day?.programs.isEmpty == true)
    await sent.feed.take(StoreNeeds())
    _ = try #require(await sent.data { $0.day == nil })
  }

  private func answerByRule(_ line: String, times: Int) throws {
    var answer = AutomaticAnswer(
      .allow, subject: Subject(label: "claude", path: "/usr/bin/claude"), capability: "commands",
      atoms: [Atom("commands", "run", .command(line))], reason: "decided before")
    answer.count = times
    try store.record(answer)
  }

  @Test("The command lines are read page by page, and once more after a change")
  func commands() async throws {
    func ask(_ number: Int) throws {
      let agent = Subject(
        label: "agent-\(number)", path: "/usr/bin/agent", file: nil,
        folder: ProgramFolder(path: "/srv", device: 1, inode: 2))
      try store.record(
        AutomaticAnswer(
          .allow, subject: agent, capability: "commands", atoms: [Atom("commands", "run", .command("make"))],
          reason: "decided before"))
    }
    for number in 0..<1_200 { try ask(number) }
    var sent = try Sent(store)
    await sent.feed.take(StoreNeeds(commands: true))
    let data = try #require(await sent.data { $0.commands != nil })
    #expect(data.commands?.rows.count == 1_200)
    try ask(1_200)
    await sent.feed.take(StoreChange(entries: [], position: 0))
    #expect(await sent.data { $0.commands?.rows.count == 1_201 } != nil)
    await sent.feed.take(StoreNeeds())
    #expect(await sent.data { $0.commands == nil } != nil)
  }
}
