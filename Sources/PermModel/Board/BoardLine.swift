/// The order in which alerts come up.
///
/// Programs take turns: each program has at most one alert in line, and its next alert joins the line once that one has
/// left the screen. An alert whose program gives up soon goes ahead of others, unless its program has had a turn while
/// they waited.
struct BoardLine: Sendable {
  private struct Place: Sendable {
    let id: Board.Item.ID
    /// The program that takes turns; `nil` for an alert that waits for nobody's turn.
    let program: ProgramKey?
    /// The moment at which the program gives up, if that is soon.
    let deadline: Board.Moment?
    /// The step at which the alert joined the line.
    var joined = 0

    func isHastier(than other: Place) -> Bool {
      guard let deadline else { return false }
      return other.deadline.map { deadline < $0 } ?? true
    }
  }

  /// The alerts that have their program's turn, in order.
  private var places: [Place] = []
  /// The alerts that wait for their program's turn, for each program that has one.
  private var behind: [ProgramKey: [Place]] = [:]
  /// The step at which a program last had a turn. Only steps after the oldest place in line matter.
  private var lastTurns: [ProgramKey: Int] = [:]
  private var steps = 0

  var isEmpty: Bool { places.isEmpty }
  var first: Board.Item.ID? { places.first?.id }

  mutating func join(_ id: Board.Item.ID, of program: ProgramKey?, givingUpAt deadline: Board.Moment?) {
    let place = Place(id: id, program: program, deadline: deadline)
    guard let program else { return insert(place) }
    guard let waiting = behind[program] else {
      behind[program] = []
      return insert(place)
    }
    let index = waiting.firstIndex { place.isHastier(than: $0) } ?? waiting.endIndex
    behind[program]?.insert(place, at: index)
  }

  /// Takes the first alert out of the line. Its program keeps its turn until ``endTurn(of:)``.
  mutating func takeFirst() -> Board.Item.ID? {
    guard !places.isEmpty else { return nil }
    let place = places.removeFirst()
    if let program = place.program { noteTurn(of: program) }
    return place.id
  }

  private mutating func noteTurn(of program: ProgramKey) {
    if places.isEmpty { lastTurns = lastTurns.filter { behind[$0.key] != nil } }
    steps += 1
    lastTurns[program] = steps
  }

  /// Ends a program's turn, so that its next alert joins the line.
  mutating func endTurn(of program: ProgramKey) {
    noteTurn(of: program)
    guard let waiting = behind[program], let next = waiting.first else {
      behind[program] = nil
      return
    }
    behind[program]?.removeFirst()
    insert(next)
  }

  /// Removes an alert that is in line, where its program's next alert takes its place, or that waits for its program's turn.
  mutating func remove(_ id: Board.Item.ID, of program: ProgramKey?) {
    guard let index = places.firstIndex(where: { $0.id == id }) else {
      if let program { behind[program]?.removeAll { $0.id == id } }
      return
    }
    let joined = places.remove(at: index).joined
    guard let program, var next = behind[program]?.first else {
      if let program { behind[program] = nil }
      return
    }
    behind[program]?.removeFirst()
    next.joined = joined
    places.insert(next, at: index)
  }

  /// Returns the alerts in the order in which they come up if none is added or removed.
  ///
  /// - Parameter program: The program whose alert is up.
  func order(after program: ProgramKey?) -> [Board.Item.ID] {
    var line = self
    if let program { line.endTurn(of: program) }
    var order: [Board.Item.ID] = []
    while let place = line.places.first, let id = line.takeFirst() {
      order.append(id)
      if let program = place.program { line.endTurn(of: program) }
    }
    return order
  }

  private mutating func insert(_ place: Place) {
    steps += 1
    var place = place
    place.joined = steps
    let lastTurn = place.program.flatMap { lastTurns[$0] } ?? 0
    let others = places.lastIndex { !place.isHastier(than: $0) || lastTurn > $0.joined }
    places.insert(place, at: others.map { $0 + 1 } ?? 0)
  }
}
