import Testing

@testable import PermModel

@Suite("The board")
struct BoardTests {
  private var board = Board()
  private var effects: [Board.Effect] = []
  private var claims: [Int] = []

  // MARK: Playing

  private mutating func ask(
    _ id: String, of program: Int, _ kind: Int = 0, givingUpIn patience: Duration? = nil,
    charge: Board.Charge? = nil
  ) throws {
    let request = BoardWorld.request(id, of: program, kind)
    let question = Board.Question(
      request.id, summary: .notice(Notice(title: id)),
      key: Board.Key(source: ObjectIdentifier(Board.self), alert: AlertKey(request)),
      program: ProgramKey(request.subject), charge: charge, deadline: patience)
    try board.ask(question, at: .zero)
    board.stored(request.id)
    carryOut()
  }

  private mutating func carryOut() {
    for effect in board.takeEffects() {
      effects.append(effect)
      if case .claim(let id, _) = effect { claims.append(id) }
    }
  }

  /// Grants the slot, and brings the first item up on all screens.
  private mutating func bringUp() -> [Board.Visit] {
    board.granted(claims.removeFirst())
    carryOut()
    let visits = effects.compactMap { if case .show(let visit) = $0 { visit } else { nil } }
    effects = []
    for visit in visits { board.want(visit) }
    carryOut()
    makeAll()
    return visits
  }

  private mutating func makeAll(_ title: String = "") {
    for case .make(let item, let version, let requests) in effects {
      let text = requests.map(\.text).joined(separator: " ") + title
      let alert = Alert(id: board.items[item]?.alert ?? Alert.ID(""), content: .notice(Notice(title: text)))
      board.made(item, version: version, alert)
    }
    effects = []
    carryOut()
  }

  private var line: [String] { board.picture.line.map(\.summary) }

  // MARK: Order

  @Test("A program that gives up soon goes ahead, but not twice while another waits")
  func hasty() throws {
    var test = self
    _ = test.board.attach("one")
    try test.ask("a", of: 1)
    try test.ask("b", of: 2)
    try test.ask("c", of: 3, givingUpIn: .seconds(60))
    try test.ask("d", of: 4, givingUpIn: .seconds(30))
    try test.ask("c again", of: 3, 1, givingUpIn: .seconds(20))
    #expect(test.line == ["d", "c", "a", "b", "c again"])
    _ = test.bringUp()
    #expect(test.board.picture.up?.summary == "d")
    try test.ask("d again", of: 4, 1, givingUpIn: .seconds(1))
    #expect(test.line == ["c", "a", "b", "d again", "c again"])
  }

  @Test("If an alert in line leaves, the next one of its program takes its place, and no other moves")
  func leaving() throws {
    var test = self
    for (id, program) in [("a", 1), ("b", 2), ("b2", 2), ("c", 3)] {
      try test.ask(id, of: program, id == "b2" ? 1 : 0)
    }
    #expect(test.line == ["a", "b", "c", "b2"])
    test.board.leave(Request.ID("b"), .left)
    #expect(test.line == ["a", "b2", "c"])
  }

  // MARK: Joining

  @Test("Requests join until a screen wants the alert, and again once it is set aside")
  func joining() throws {
    var test = self
    _ = test.board.attach("one")
    try test.ask("a", of: 1)
    try test.ask("a2", of: 1)
    #expect(test.board.items.count == 1)
    let visits = test.bringUp()
    try test.ask("a3", of: 1)
    #expect(test.board.items.count == 2)
    test.board.leave(Request.ID("a3"), .left)
    test.board.setAside(visits[0])
    try test.ask("a4", of: 1)
    #expect(test.board.items.count == 1)
    #expect(test.board.items.values.first?.requests.map(\.text) == ["a", "a2", "a4"])
  }

  @Test("A request that is asked again gets an alert with an id of its own while its first alert goes on")
  func askedAgain() throws {
    var test = self
    try test.ask("a", of: 1)
    try test.ask("a2", of: 1)
    test.board.leave(Request.ID("a"), .askedAgain)
    try test.ask("a", of: 1, 2)
    #expect(Set(test.board.items.values.map(\.alert.text)) == ["a", "a~2"])
  }

  // MARK: Showing

  @Test("Changed settings replace the alert on every screen, but only if its text changes")
  func settings() throws {
    var test = self
    _ = test.board.attach("one")
    _ = test.board.attach("two")
    try test.ask("a", of: 1)
    let visits = test.bringUp()
    test.board.settingsChanged()
    test.carryOut()
    test.makeAll()
    #expect(!test.effects.contains { if case .hide = $0 { true } else { false } })
    test.board.settingsChanged()
    test.carryOut()
    test.makeAll(" in other words")
    let hidden = test.effects.compactMap { if case .hide(let visit) = $0 { visit } else { nil } }
    #expect(Set(hidden) == Set(visits))
    #expect(test.board.picture.up?.summary == "a in other words")
  }

  @Test("Not answered before it is stored: the alert keeps the slot, and comes back if it was not")
  func settling() throws {
    var test = self
    _ = test.board.attach("one")
    try test.ask("a", of: 1)
    try test.ask("b", of: 2)
    let visit = test.bringUp()[0]
    let digest = test.board.picture.up?.digest
    test.board.respond(visit, .acknowledged, to: digest)
    test.carryOut()
    #expect(test.board.picture.up?.summary == "a")
    #expect(!test.effects.contains { if case .release = $0 { true } else { false } })
    let item = try #require(test.board.homes[Request.ID("a")])
    test.board.changed(item)
    #expect(test.board.items[item]?.phase == .rising)
  }

  // MARK: Limits

  @Test("A patient request waits for a place, and is tried again when the board is woken")
  func patience() throws {
    var limits = RequestLimits.Settings()
    limits.program = .init(burst: 1, interval: .seconds(60))
    var test = self
    test.board = Board(limits: limits)
    let account = CostAccount(.path("/bin/1"), in: .unknown)
    try test.ask("a", of: 1, charge: Board.Charge(to: account))
    #expect(throws: RequestLimits.Refusal.self) {
      try test.ask("b", of: 1, 1, charge: Board.Charge(to: account))
    }
    try test.ask("c", of: 1, 2, charge: Board.Charge(to: account, isPatient: true))
    #expect(test.line == ["a"])
    test.board.wake(at: .seconds(59))
    #expect(test.line == ["a"])
    test.board.wake(at: .seconds(61))
    #expect(test.line == ["a", "c"])
  }

  @Test(
    "An alert that comes up and is set aside again is the last of those set aside, and is among them once")
  mutating func asideAgain() throws {
    _ = board.attach("first")
    var visits: [Board.Visit] = []
    for (program, id) in ["a", "b"].enumerated() {
      try ask(id, of: program)
      visits += bringUp()
      board.setAside(visits[program])
      carryOut()
    }
    #expect(board.picture.aside.map(\.id.text) == ["a", "b"])
    effects = []
    board.reopen(Alert.ID("a"), at: visits[0].screen)
    carryOut()
    #expect(board.picture.aside.map(\.id.text) == ["b"])
    board.granted(claims.removeFirst())
    carryOut()
    makeAll()
    board.setAside(visits[0])
    #expect(board.picture.aside.map(\.id.text) == ["b", "a"])
    #expect(board.picture(of: visits[0].screen)?.aside.map(\.id.text) == ["b", "a"])
  }

  @Test("An answer to what was set aside does not count for requests that have joined since")
  mutating func answeredAside() throws {
    _ = board.attach("first")
    try ask("a", of: 1)
    let visit = try #require(bringUp().first)
    let read = try #require(board.items[visit.item]?.made)
    board.setAside(visit)
    carryOut()
    try ask("b", of: 1)
    #expect(board.items[visit.item]?.requests.count == 2)
    effects = []
    board.respond(visit, .acknowledged, to: read.digest)
    carryOut()
    #expect(!effects.contains { if case .settle = $0 { true } else { false } })
    #expect(board.items[visit.item]?.phase == .inLine)
  }
}
