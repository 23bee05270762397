import PermModelTesting
import Testing

@testable import PermModel

@Suite("Requests")
struct RequestTests {
  private func request(_ id: String, of subject: Subject = backup, process: ProcessIdentity? = nil) -> Request
  {
    Request(
      id: Request.ID(id), subject: subject, capability: "photos", atoms: [photos],
      reason: "weekly copy", askedAt: Timestamp(seconds: 1_750_000_000),
      evidence: process.map { Evidence(process: $0, program: "/bin/backup.sh", chain: ["tmux", "bash"]) })
  }

  @Test("A request waits until it is closed, and can be set aside", arguments: StoreKind.allCases)
  func waits(_ kind: StoreKind) throws {
    let box = try kind.make()
    let request = request("r1", process: FixedEnvironment.process)
    try box.store.open(request)
    try box.store.open(request)
    #expect(try box.store.waitingRequests() == [StoredRequest(request, process: FixedEnvironment.process)])
    #expect(try box.store.overview().capabilities.map(\.waiting) == [1])
    #expect(try box.store.overview().capabilities.map(\.lastAsked) == [request.askedAt])
    try box.store.setAside(request.id, true, by: here)
    #expect(try box.store.waitingRequests().map(\.setAsideAt) == [box.world.wall])
    try box.store.setAside(request.id, false, by: here)
    try box.store.close(request.id, .dismissed, by: here)
    #expect(try box.store.waitingRequests().isEmpty)
    let kinds = try box.store.journal(JournalFilter(request: request.id), .newer(than: 0, 9)).map(\.kind)
    #expect(kinds == [.asked, .setAside, .reopened, .dismissed])
  }

  @Test("A request whose use was journalled has still ended as it did", arguments: StoreKind.allCases)
  func usedRequest(_ kind: StoreKind) throws {
    let box = try kind.make()
    let request = request("r1")
    try box.store.open(request)
    try box.store.close(request.id, .dismissed, by: here)
    let end = try box.store.state(of: request)
    try box.store.noteUse(of: request, hasFailed: false)
    #expect(try box.store.state(of: request) == end)
    #expect(end == .ended(.dismissed))
  }

  /// Returns variants of the request, each with one difference.
  private func others(_ id: String) -> [Request] {
    let (subject, atoms) = (backup, [photos] as Set)
    let moment = Timestamp(seconds: 1_750_000_000)
    return [
      Request(
        id: Request.ID(id), subject: Subject(label: "thumbs", path: subject.path, file: subject.file),
        capability: "photos", atoms: atoms, reason: "weekly copy", askedAt: moment),
      Request(
        id: Request.ID(id), subject: Subject(label: subject.label, path: "/tmp/other"), capability: "photos",
        atoms: atoms, reason: "weekly copy", askedAt: moment),
      Request(
        id: Request.ID(id), subject: subject, capability: "camera", atoms: atoms, reason: "weekly copy",
        askedAt: moment),
      Request(
        id: Request.ID(id), subject: subject, capability: "photos", atoms: [Atom("photos", "add-only")],
        reason: "weekly copy", askedAt: moment),
      Request(
        id: Request.ID(id), subject: subject, capability: "photos", atoms: atoms, reason: "wipe it",
        askedAt: moment),
      Request(id: Request.ID(id), subject: subject, capability: "photos", atoms: atoms, askedAt: moment),
    ]
  }

  @Test(
    "An id belongs to the request that was asked first under it, while it waits and after",
    arguments: StoreKind.allCases)
  func boundID(_ kind: StoreKind) throws {
    let box = try kind.make()
    let request = request("r1", process: FixedEnvironment.process)
    let taken = StoreError.requestIDTaken(request.id)
    #expect(try box.store.state(of: request) == .new)
    #expect(try box.store.open(request) == .waiting)
    for other in others("r1") {
      #expect(throws: taken) { try box.store.open(other) }
      #expect(throws: taken) { try box.store.state(of: other) }
    }
    try box.store.answer(request.id, Answer(.deny, atoms: [photos]), by: here)
    for other in others("r1") { #expect(throws: taken) { try box.store.open(other) } }
    guard case .ended(let end) = try box.store.open(request) else {
      Issue.record("it did not end")
      return
    }
    #expect(end == .answered(GivenAnswer(.deny, denied: [photos], at: box.world.wall)))
    #expect(try box.store.waitingRequests().isEmpty)
    #expect(try box.store.journal(JournalFilter(kinds: [.asked]), .newest(9)).count == 1)
  }

  @Test(
    "An id is free again once the journal no longer keeps that it was asked", arguments: StoreKind.allCases)
  func forgottenID(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.open(request("r1"))
    try box.store.close(Request.ID("r1"), .dismissed, by: here)
    try box.store.open(request("r2"))
    box.world.pass(.seconds(10))
    try box.store.pruneJournal(before: box.world.wall, limit: 9)
    #expect(try box.store.open(others("r1")[0]) == .waiting)
    // A waiting request keeps its ID whatever is in the journal.
    #expect(throws: StoreError.requestIDTaken(Request.ID("r2"))) { try box.store.open(others("r2")[0]) }
  }

  @Test(
    "A request that is asked again from another process waits for that one", arguments: StoreKind.allCases)
  func anotherProcess(_ kind: StoreKind) throws {
    let box = try kind.make()
    let first = request("r1", process: FixedEnvironment.process)
    let second = request("r1", process: ProcessIdentity(pid: 77, startTime: 5))
    try box.store.open(first)
    try box.store.setAside(first.id, true, by: here)
    try box.store.open(second)
    #expect(
      try box.store.waitingRequests() == [
        StoredRequest(second, process: ProcessIdentity(pid: 77, startTime: 5), setAsideAt: box.world.wall)
      ])
    #expect(try box.store.journal(JournalFilter(kinds: [.asked]), .newest(9)).count == 1)
  }

  @Test(
    "A process's requests are found by its identity, which its number alone is not",
    arguments: StoreKind.allCases)
  func ofProcess(_ kind: StoreKind) throws {
    let box = try kind.make()
    let process = ProcessIdentity(pid: 77, startTime: .max)
    let requests = [request("r1", process: process), request("r2", process: process)]
    for request in requests { try box.store.open(request) }
    try box.store.open(request("r3", process: ProcessIdentity(pid: 77, startTime: 5)))
    #expect(try box.store.waitingRequests(of: process).map(\.request) == requests)
    #expect(try box.store.waitingRequests(of: ProcessIdentity(pid: 78, startTime: .max)).isEmpty)
  }

  @Test("An answer closes those it joins and keeps one decision", arguments: StoreKind.allCases)
  func answer(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.open(request("r1"))
    try box.store.open(request("r2"))
    let answer = Answer(.allow, atoms: [photos], lifetime: .process, note: "ok")
    let ids = [Request.ID("r1"), Request.ID("r2")]
    let closed = try box.store.answer(ids, answer, by: here)
    #expect(closed.requests.map(\.id) == ids)
    #expect(closed.decisions.map(\.lifetime) == [.process(FixedEnvironment.process)])
    #expect(try box.store.decisions() == closed.decisions)
    #expect(try box.store.history(of: backup, capability: "photos").allowed == 2)
  }

  @Test(
    "An answer on the program's own terminal is journalled as that, and not counted",
    arguments: StoreKind.allCases)
  func ownTerminal(_ kind: StoreKind) throws {
    let box = try kind.make()
    let id = Request.ID("r1")
    try box.store.open(request("r1"))
    try box.store.setTerminal(id, "pts/2")
    try box.store.setTerminal(id, "pts/2")
    #expect(try box.store.waitingRequests().map(\.terminal) == ["pts/2"])
    try box.store.setTerminal(id, nil)
    #expect(try box.store.waitingRequests().map(\.terminal) == [nil])
    try box.store.answer(id, Answer(.allow, atoms: [photos]), by: .terminal)
    let entries = try box.store.journal(JournalFilter(request: id), .newer(than: 0, 9))
    #expect(entries.map(\.kind) == [.asked, .shown, .answered])
    #expect(entries.map(\.origin) == [nil, .terminal, .terminal])
    #expect(try box.store.history(of: backup, capability: "photos") == AnswerHistory())
  }

  @Test("The first answer wins; a second keeps nothing", arguments: StoreKind.allCases)
  func firstWins(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.open(request("r1"))
    let id = Request.ID("r1")
    try box.store.answer(id, Answer(.deny, atoms: [photos], lifetime: .forever), by: here)
    let second = try box.store.answer(
      id, Answer(.allow, atoms: [photos], lifetime: .forever), by: .commandLine)
    #expect(second == ClosedRequests())
    #expect(try box.store.decisions().map(\.verdict) == [.deny])
    #expect(try box.store.history(of: backup, capability: "photos").allowed == 0)
  }

  @Test("A decision without a request counts once among the earlier answers", arguments: StoreKind.allCases)
  func decided(_ kind: StoreKind) throws {
    let box = try kind.make()
    let atoms: Set = [photos, Atom("photos", "add-only")]
    try box.store.open(request("r1"))
    try box.store.answer(Request.ID("r1"), Answer(.allow, atoms: atoms, lifetime: .forever), by: here)
    #expect(try box.store.history(of: backup, capability: "photos").allowed == 1)
    try box.store.decide(Ruling(.allow, subject: backup, atoms: atoms), by: .commandLine)
    try box.store.decide(Ruling(.deny, subject: backup, atoms: atoms), by: here)
    let history = try box.store.history(of: backup, capability: "photos")
    #expect(history == AnswerHistory(allowed: 2, denied: 1, last: box.world.wall))
  }

  @Test(
    "The last of the earlier answers is the newest, in whatever file of the program",
    arguments: StoreKind.allCases)
  func lastAnswer(_ kind: StoreKind) throws {
    let box = try kind.make()
    func file(_ inode: UInt64) -> Subject {
      Subject(label: "backup", path: "/home/ana/backup", file: FileIdentity(inode: inode, birth: 1))
    }
    var last = box.world.wall
    for (number, verdict) in [Verdict.allow, .deny, .allow, .allow].enumerated() {
      box.world.pass(.seconds(60))
      last = box.world.wall
      try box.store.open(request("r\(number)", of: file(UInt64(1 + number % 2))))
      try box.store.answer(Request.ID("r\(number)"), Answer(verdict, atoms: [photos]), by: here)
    }
    let first = try box.store.history(of: file(1), capability: "photos")
    #expect(first == AnswerHistory(allowed: 2, denied: 0, last: last + .seconds(-60)))
    box.world.pass(.seconds(60))
    try box.store.decide(Ruling(.deny, subject: file(2), atoms: [photos]), by: .commandLine)
    let second = try box.store.history(of: file(2), capability: "photos")
    #expect(second == AnswerHistory(allowed: 1, denied: 2, last: box.world.wall))
    let both = try box.store.history(
      of: Subject(label: "backup", path: "/home/ana/backup"), capability: "photos")
    #expect(both.last == nil || both.last == box.world.wall)
  }

  @Test("An answer for once keeps only a line of the journal", arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.open(request("r1"))
    try box.store.answer(Request.ID("r1"), Answer(.allow, atoms: [photos]), by: here)
    #expect(try box.store.decisions().isEmpty)
    let entry = try box.store.journal(.all, .newest(1))[0]
    #expect(entry.kind == .answered)
    #expect(entry.verdict == .allow)
    #expect(entry.atoms == [photos])
    #expect(entry.origin == here)
  }

  @Test("Deny and mute keeps both with one change", arguments: StoreKind.allCases)
  func denyAndMute(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.open(request("r1"))
    let answer = Answer(.deny, atoms: [photos], lifetime: .once, mutes: true)
    try box.store.answer(Request.ID("r1"), answer, by: here)
    #expect(try box.store.standing(of: backup, capability: "photos").mute != nil)
    #expect(try box.store.undo(by: here).change.entries.count == 1)
    #expect(try box.store.standing(of: backup, capability: "photos") == box.nothing)
  }

  @Test("A mute beside a denial until the run ends holds until then", arguments: StoreKind.allCases)
  func muteOfRun(_ kind: StoreKind) throws {
    for isWalled in [true, false] {
      let box = try kind.make()
      let asked = request("r1", process: FixedEnvironment.process)
      var evidence = try #require(asked.evidence)
      if isWalled { evidence.walled = WalledProcess(name: "deno", process: FixedEnvironment.process) }
      try box.store.open(asked.with(evidence))
      let answer = Answer(.deny, atoms: [photos], lifetime: .process, mutes: true)
      try box.store.answer(Request.ID("r1"), answer, by: here)
      let mute = try #require(try box.store.standing(of: backup, capability: "photos").mute)
      if case .process = mute.lifetime { #expect(isWalled) } else { #expect(!isWalled) }
    }
  }

  @Test("A request whose program is gone is withdrawn", arguments: StoreKind.allCases)
  func abandoned(_ kind: StoreKind) throws {
    let box = try kind.make()
    let gone = ProcessIdentity(pid: 200, startTime: 2)
    try box.store.open(request("r1", process: gone))
    try box.store.open(request("r2"))
    #expect(try box.store.withdrawAbandoned().map(\.id.text) == ["r1"])
    #expect(try box.store.waitingRequests().map(\.id.text) == ["r2"])
    #expect(try box.store.journal(.all, .newest(1))[0].kind == .withdrawn)
  }

  @Test("The same automatic answer is summed up for a minute", arguments: StoreKind.allCases)
  func summedUp(_ kind: StoreKind) throws {
    let box = try kind.make()
    let kept = try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let answer = AutomaticAnswer(
      .allow, subject: backup, capability: "photos", atoms: [photos], reason: "decided before",
      decisions: kept)
    for _ in 0..<3 {
      try box.store.record(answer)
      box.world.pass(.seconds(25))
    }
    let entries = try box.store.journal(JournalFilter(kinds: [.automatic]), .newest(9))
    #expect(entries.map(\.count) == [3])
    #expect(entries[0].lastAt == entries[0].at + .seconds(50))
    try box.store.record(answer)
    #expect(try box.store.journal(JournalFilter(kinds: [.automatic]), .newest(9)).map(\.count) == [1, 3])
    #expect(try box.store.decisions().map(\.lastUsed) == [box.world.wall])
  }

  @Test("Denials of one program are summed up whatever it calls itself", arguments: StoreKind.allCases)
  func summedUpDenials(_ kind: StoreKind) throws {
    let box = try kind.make()
    for number in 0..<30 {
      let subject = Subject(label: "label \(number)", path: backup.path, file: backup.file)
      try box.store.record(
        AutomaticAnswer(.deny, subject: subject, capability: "photos", atoms: [photos], reason: "muted"))
    }
    let other = Subject(label: "other", path: "/usr/bin/other")
    try box.store.record(
      AutomaticAnswer(.deny, subject: other, capability: "photos", atoms: [photos], reason: "muted"))
    let entries = try box.store.journal(JournalFilter(kinds: [.automatic]), .newest(99))
    #expect(entries.map(\.count) == [1, 30])
    #expect(entries.map(\.subject?.label) == ["other", "label 0"])
  }

  @Test("An allow for a label alone binds to the first program that uses it", arguments: StoreKind.allCases)
  func binds(_ kind: StoreKind) throws {
    let box = try kind.make()
    let label = Subject(label: "backup")
    try box.store.decide(Ruling(.allow, subject: label, atoms: [photos]), by: .commandLine)
    let standing = try box.store.standing(of: backup, capability: "photos")
    #expect(standing.allowed == [photos])
    try box.store.record(
      AutomaticAnswer(
        .allow, subject: backup, capability: "photos", atoms: [photos], reason: "decided before",
        decisions: Array(standing.decisions.values)))
    #expect(try box.store.decisions().map(\.subject) == [backup])
    let impostor = Subject(label: "backup", path: "/tmp/other")
    #expect(try box.store.standing(of: impostor, capability: "photos").decisions.isEmpty)
    let bound = try box.store.journal(JournalFilter(kinds: [.bound]), .newest(1))
    #expect(bound.first?.before?.subject == label)
    #expect(bound.first?.after?.subject == backup)
  }
}
