import Machine
import PermModelTesting

@testable import PermModel

/// Something that happens to a board. The numbers choose among what is there at that moment, so every sequence of moves
/// can be played, also one from which some were taken out.
enum BoardMove: Hashable, Sendable {
  case ask(program: Int, kind: Int, isHasty: Bool, hasLease: Bool)
  case notice
  case store(Int)
  case grant
  case make(Int)
  case want(Int)
  case answer(Int, isStale: Bool)
  case settle(Int, isChanged: Bool)
  case setAside(Int)
  case leave(Int)
  case end(Int)
  case decide(Int)
  case takeAway(Int)
  /// An answer, a setting aside or a reopening at a screen that follows pictures.
  case respond(Int, isStale: Bool)
  case setAsideInPicture(Int)
  case reopen(Int)
  case decline(Int)
  case attach(Int)
  case detach(Int)
  case changeSettings
  case wait

  static func random(using random: inout SeededGenerator) -> BoardMove {
    let number = Int.random(in: 0..<1_000, using: &random)
    switch Int.random(in: 0..<46, using: &random) {
    case 0..<8:
      return .ask(
        program: number % 5, kind: number / 5 % 3, isHasty: number.isMultiple(of: 7),
        hasLease: number.isMultiple(of: 31))
    case 8: return .notice
    case 9..<13: return .store(number)
    case 13..<16: return .grant
    case 16..<20: return .make(number)
    case 20..<24: return .want(number)
    case 24..<27: return .answer(number, isStale: number.isMultiple(of: 4))
    case 27..<30: return .settle(number, isChanged: number.isMultiple(of: 5))
    case 30: return .setAside(number)
    case 31: return .leave(number)
    case 32: return .end(number)
    case 33: return .decide(number)
    case 34, 35: return .takeAway(number)
    case 36: return .decline(number)
    case 37: return .attach(number)
    case 38: return number.isMultiple(of: 3) ? .changeSettings : .detach(number)
    case 39..<42: return .respond(number, isStale: number.isMultiple(of: 4))
    case 42: return .setAsideInPicture(number)
    case 43, 44: return .reopen(number)
    default: return .wait
    }
  }
}

/// A board with everything around it: the exclusion scheduler, screens, the store, and the makers of alerts. Each of them
/// does its part when a move says so, and the world checks after each move that the board keeps its promises.
struct BoardWorld {
  typealias Item = Board.Item
  typealias Visit = Board.Visit

  private(set) var board: Board
  private(set) var faults: [String] = []
  private var now = Duration.seconds(10_000)
  private var lastID = 0

  private var unstored: [Request.ID] = []
  private var claims: [Board.Claim.ID] = []
  private var granted: Board.Claim.ID?
  private var making: [(item: Item.ID, version: Int, requests: [Request.ID])] = []
  private var settling: [(item: Item.ID, requests: [Request.ID])] = []
  private var judging: [(item: Item.ID, requests: [Request.ID])] = []
  /// The shows that go on, with the alert that each was handed last.
  private var shows: [Visit: Alert?] = [:]
  private var hidden: Set<Visit> = []
  /// The alerts that were at screens which follow pictures, by their numbers there.
  private var pictured: [Int: AlertDigest] = [:]

  private var asked: Set<Request.ID> = []
  private var ended: [Request.ID: Int] = [:]
  private var seen: [Item.ID: Set<Request.ID>] = [:]
  /// The turns that another program has had while a program waited.
  private var turns: [ProgramKey: [ProgramKey: Int]] = [:]

  init(limits: RequestLimits.Settings? = nil) {
    board = Board(limits: limits)
    for _ in 0..<2 { attach() }
  }

  // MARK: Moves

  mutating func play(_ move: BoardMove) {
    switch move {
    case .ask(let program, let kind, let isHasty, let hasLease):
      ask(program: program, kind: kind, isHasty: isHasty, hasLease: hasLease)
    case .notice: notice()
    case .store(let number): store(number)
    case .grant: grant()
    case .make(let number): make(number)
    case .want(let number): if let visit = visit(number) { board.want(visit) }
    case .wait:
      now += .seconds(1)
      board.wake(at: now)
    case .changeSettings: board.settingsChanged()
    case .attach: if board.screens.count < 4 { attach() }
    case .detach(let number): if let screen = pick(board.screens, number) { board.detach(screen.id) }
    default: end(move)
    }
    carryOut()
    check()
  }

  private mutating func end(_ move: BoardMove) {
    switch move {
    case .answer(let number, let isStale): answer(number, isStale: isStale)
    case .settle(let number, let isChanged): settle(number, isChanged: isChanged)
    case .setAside(let number): if let visit = visit(number) { board.setAside(visit) }
    case .leave(let number): if let id = pick(waiting, number) { board.leave(id, .left) }
    case .end(let number): if let id = pick(waiting, number) { board.ended(id, .dismissed, isAnswered: true) }
    case .respond(let number, let isStale): respond(number, isStale: isStale)
    case .setAsideInPicture(let number):
      if let (screen, alert) = pick(shownInPictures, number) {
        _ = try? board.respond(alert.id, .setAside, to: alert.digest, at: screen)
      }
    case .reopen(let number):
      let aside = pictures.flatMap { screen, picture in picture.aside.map { (screen, $0.id) } }
      if let (screen, alert) = pick(aside, number) { board.reopen(alert, at: screen) }
    case .decide(let number): decide(number)
    case .takeAway(let number): takeAway(number)
    case .decline(let number):
      if let visit = visit(number) { finish(visit) { $0.decline(visit, AlertPresenterError.nobodyThere) } }
    default: break
    }
  }

  private var waiting: [Request.ID] { board.homes.keys.sorted { $0.text < $1.text } }

  private func pick<Element>(_ elements: [Element], _ number: Int) -> Element? {
    elements.isEmpty ? nil : elements[number % elements.count]
  }

  private func visit(_ number: Int) -> Visit? {
    pick(shows.keys.sorted { ($0.item, $0.screen) < ($1.item, $1.screen) }, number)
  }

  private mutating func ask(program: Int, kind: Int, isHasty: Bool, hasLease: Bool) {
    lastID += 1
    let request = Self.request("\(lastID)", of: program, kind)
    let asker = ProgramKey(request.subject)
    var question = Board.Question(request.id, summary: .notice(Notice(title: request.id.text)))
    question.hasLease = hasLease
    if !hasLease {
      question.key = Board.Key(source: ObjectIdentifier(Board.self), alert: AlertKey(request))
      question.program = asker
      question.charge = Board.Charge(
        to: CostAccount(asker, in: .unknown), isPatient: kind == 1, isInherited: kind == 2 && isHasty)
    }
    question.deadline = isHasty ? now + .seconds(lastID % 60) : nil
    do {
      try board.ask(question, at: now)
      asked.insert(request.id)
      unstored.append(request.id)
    } catch {}
  }

  private mutating func notice() {
    lastID += 1
    _ = board.present(
      Alert(id: Alert.ID("n\(lastID)"), content: .notice(Notice(title: "n"))), hasLease: false)
  }

  private mutating func store(_ number: Int) {
    guard !unstored.isEmpty else { return }
    board.stored(unstored.remove(at: number % unstored.count))
  }

  private mutating func grant() {
    guard granted == nil, !claims.isEmpty else { return }
    let id = claims.removeFirst()
    let listed = board.line.order(after: nil).first
    granted = id
    board.granted(id)
    guard let holder = board.claims[id]?.holder, board.items[holder]?.hasLease == false else { return }
    if holder != listed { faults.append("item \(holder) came up, but \(listed ?? 0) was listed first") }
    noteTurn(of: board.items[holder]?.program)
  }

  private mutating func noteTurn(of program: ProgramKey?) {
    guard let program else { return }
    turns[program] = nil
    let others = Set(board.items.values.filter { $0.phase == .inLine }.compactMap(\.program))
    for other in others where other != program {
      turns[other, default: [:]][program, default: 0] += 1
      if turns[other]?[program] ?? 0 > 1 { faults.append("\(program) had two turns while \(other) waited") }
    }
  }

  private mutating func make(_ number: Int) {
    guard !making.isEmpty else { return }
    let (item, version, requests) = making.remove(at: number % making.count)
    guard let alert = board.items[item]?.alert else { return }
    let title = requests.map(\.text).joined(separator: " ") + (number.isMultiple(of: 3) ? " \(now)" : "")
    board.made(item, version: version, Alert(id: alert, content: .notice(Notice(title: title))))
  }

  private mutating func answer(_ number: Int, isStale: Bool) {
    guard let visit = visit(number), let alert = shows[visit] ?? nil else { return }
    let stale = Alert(id: alert.id, content: .notice(Notice(title: "another")))
    finish(visit) { $0.respond(visit, .acknowledged, to: (isStale ? stale : alert).digest) }
    guard isStale, board.items[visit.item]?.phase == .settling,
      !settling.contains(where: { $0.item == visit.item })
    else { return }
    faults.append("an answer to another alert counted")
  }

  private var pictures: [(screen: Board.Screen.ID, picture: ScreenPicture)] {
    board.screens.filter { $0.kind == .pictures }
      .compactMap { screen in board.picture(of: screen.id).map { (screen.id, $0) } }
  }

  private var shownInPictures: [(Board.Screen.ID, Alert)] {
    pictures.flatMap { screen, picture in picture.shown.map { (screen, $0.alert) } }
  }

  private mutating func respond(_ number: Int, isStale: Bool) {
    guard let (screen, alert) = pick(shownInPictures, number) else { return }
    let stale = Alert(id: alert.id, content: .notice(Notice(title: "another")))
    do throws(AnswerRefused) {
      _ = try board.respond(alert.id, .acknowledged, to: (isStale ? stale : alert).digest, at: screen)
      if isStale { faults.append("an answer to another alert counted") }
    } catch .changed {
      if !isStale { faults.append("an answer to the alert in the picture did not count") }
    } catch {
      if board.items.values.contains(where: { $0.alert == alert.id && $0.phase == .up }) {
        faults.append("an alert in the picture could not be answered")
      }
    }
  }

  private mutating func finish(_ visit: Visit, _ event: (inout Board) -> Void) {
    shows[visit] = nil
    hidden.remove(visit)
    event(&board)
  }

  private mutating func settle(_ number: Int, isChanged: Bool) {
    guard !settling.isEmpty else { return }
    let (item, requests) = settling.remove(at: number % settling.count)
    if isChanged { return board.changed(item) }
    board.settled(item, Self.outcomes(requests), isAnswered: true)
  }

  private mutating func decide(_ number: Int) {
    if judging.isEmpty { return board.decisionsChanged() }
    let (item, requests) = judging.remove(at: number % judging.count)
    if number.isMultiple(of: 2) { board.settled(item, Self.outcomes(requests)) }
  }

  private mutating func takeAway(_ number: Int) {
    let visits = hidden.sorted { ($0.item, $0.screen) < ($1.item, $1.screen) }
    if let visit = pick(visits, number) { finish(visit) { $0.respond(visit, .dismissed, to: nil) } }
  }

  private mutating func attach() {
    lastID += 1
    _ = board.attach("dashboard \(lastID)", as: [.presenter, .pictures, .pictures, .list][lastID % 4])
    carryOut()
  }

  /// Attaches screens until there is one where alerts come up.
  private mutating func attachIfAlone() {
    while !board.screens.contains(where: { $0.kind != .list }) { attach() }
  }

  private static func outcomes(_ requests: [Request.ID]) -> [Request.ID: Board.Outcome] {
    Dictionary(uniqueKeysWithValues: requests.map { ($0, .ended(.dismissed)) })
  }

  static func request(_ id: String, of program: Int, _ kind: Int) -> Request {
    let file = FileIdentity(inode: UInt64(program), birth: 1)
    return Request(
      id: Request.ID(id), subject: Subject(label: "p\(program)", path: "/bin/\(program)", file: file),
      capability: "photos", atoms: [Atom("photos", "\(kind)")], askedAt: Timestamp(seconds: 0))
  }

  // MARK: Effects

  private mutating func carryOut() {
    for effect in board.takeEffects() {
      switch effect {
      case .claim(let id, _): claims.append(id)
      case .release(let id):
        claims.removeAll { $0 == id }
        if granted == id { granted = nil }
      case .make(let id, let version, let requests): making.append((id, version, requests))
      case .judge(let id, let requests): judging.append((id, requests))
      case .settle(let id, _, let requests): settling.append((id, requests))
      case .end(let id, _): ended[id, default: 0] += 1
      case .show, .hand, .hide: carryOut(effect)
      case .note, .over, .wake: break
      }
    }
  }

  private mutating func carryOut(_ effect: Board.Effect) {
    switch effect {
    case .show(let visit):
      if shows[visit] != nil { faults.append("shown twice at one screen") }
      shows[visit] = .some(nil)
    case .hand(let alert, let visit):
      if shows[visit] == nil { faults.append("handed to a screen that does not show it") }
      shows[visit] = alert
      seen[visit.item] = Set(board.items[visit.item]?.requests ?? [])
    case .hide(let visit):
      if shows[visit] == nil { faults.append("taken away from a screen that does not show it") }
      hidden.insert(visit)
    default: break
    }
  }

  // MARK: Promises

  private mutating func check() {
    let inLine = Set(board.items.values.filter { $0.phase == .inLine }.compactMap(\.program))
    turns = turns.filter { inLine.contains($0.key) }
    let up = board.items.values.first { $0.claim != nil }?.program
    // The program that is up when another begins to wait has this turn while it waits.
    for program in inLine where turns[program] == nil {
      turns[program] = up.flatMap { $0 == program ? nil : [$0: 1] } ?? [:]
    }
    let listed = board.picture.alerts.map(\.id)
    let due = board.items.values.filter { $0.phase != .patient }.map(\.alert)
    if listed.count != due.count || Set(listed) != Set(due) { faults.append("an alert is nowhere, or twice") }
    if board.items.values.contains(where: { $0.claim == nil && $0.showings.values.contains(.shown) }) {
      faults.append("an item is shown without the slot")
    }
    let holders = board.items.values.filter { $0.claim != nil }
    if holders.count > 1 { faults.append("\(holders.count) items hold the slot") }
    checkPictures()
    for item in board.items.values where item.phase == .up || item.phase == .settling {
      if item.phase == .up, item.claim == nil { faults.append("an item is up without the slot") }
      if item.requests.contains(where: unstored.contains) { faults.append("shown before it was stored") }
      guard let seen = seen[item.id], item.made != nil, item.isOnScreen else { continue }
      if !seen.isSuperset(of: item.requests) { faults.append("a request joined what is up") }
    }
    for (id, count) in ended where count != 1 { faults.append("request \(id.text) ended \(count) times") }
    for id in asked where (ended[id] == nil) != (board.homes[id] != nil) {
      faults.append("request \(id.text) is lost")
    }
  }

  private mutating func checkPictures() {
    let up = board.items.values.first { $0.phase == .up }
    for (screen, picture) in pictures {
      if picture.shown.count > 1 { faults.append("two alerts at once at a screen") }
      if let up, !picture.shown.contains(where: { $0.alert.id == up.alert }) {
        faults.append("what is up is not in the picture of screen \(screen)")
      }
      for shown in picture.shown {
        if pictured[shown.number, default: shown.alert.digest] != shown.alert.digest {
          faults.append("two alerts with one number")
        }
        if pictured[shown.number] == nil, let id = board.alerts[shown.alert.id] {
          seen[id] = Set(board.items[id]?.requests ?? [])
        }
        pictured[shown.number] = shown.alert.digest
      }
    }
    for screen in board.screens where screen.kind == .list {
      if board.picture(of: screen.id)?.shown.isEmpty == false {
        faults.append("an alert came up over a list")
      }
    }
  }

  // MARK: Rest

  /// Lets everything run until nothing waits any more, and checks that all requests have ended. From here on, alerts must
  /// come up exactly in the order in which they are listed.
  mutating func rest() {
    attachIfAlone()
    let fair = (0..<4_000).lazy.flatMap { number -> [BoardMove] in
      [
        .store(number), .make(number), .takeAway(number), .want(number), .grant,
        .settle(number, isChanged: false),
        .answer(number, isStale: false), .respond(number, isStale: false), .wait,
      ]
    }
    for move in fair where !board.items.isEmpty && faults.isEmpty { play(move) }
    while let screen = board.screens.first, !board.items.isEmpty {
      // An alert that was set aside comes back when its screen leaves.
      play(.detach(0))
      attach()
      attachIfAlone()
      for move in fair where !board.items.isEmpty && faults.isEmpty { play(move) }
      if !faults.isEmpty || board.screens.last?.id == screen.id { break }
    }
    if !board.items.isEmpty { faults.append("\(board.items.count) items never ended") }
  }
}
