import PermModel

/// The connections that are open at one socket. A pure value.
///
/// Each program can be limited to a share of the connections. If all places are occupied, a newcomer displaces another
/// connection. In the family with the most connections, the program with the most loses its oldest idle connection, or
/// its oldest one if none is idle. A newcomer that would itself have the most is refused. Therefore no program can keep
/// others out, however many processes or copies of itself it creates.
struct Door: Sendable {
  /// The number of a connection. Connections are numbered in order of arrival.
  typealias Ticket = Int

  private struct Place {
    var account: CostAccount
    /// Whether none of the connection's calls is being answered.
    var isIdle = true
  }

  let limit: Int
  /// The maximum number of connections of one program; `nil` if only ``limit`` applies.
  let mostOfOneProgram: Int?
  /// Whether a newcomer can displace another connection. Otherwise, it is refused if all places are occupied.
  let displaces: Bool

  private var places: [Ticket: Place] = [:]
  private var ofProgram: [ProgramKey: Int] = [:]
  private var ofFamily: [ProcessFamily: Int] = [:]
  private var next = 0

  init(limit: Int, mostOfOneProgram: Int? = nil, displaces: Bool = true) {
    self.limit = limit
    self.displaces = displaces
    self.mostOfOneProgram = mostOfOneProgram
  }

  var count: Int { places.count }

  /// Whether so many connections are open that one program could have more than its share.
  var isCrowded: Bool { mostOfOneProgram.map { places.count > $0 } ?? false }

  /// An admitted connection, and the connection that must be closed to make space for it, if any.
  struct Entry: Hashable, Sendable {
    var ticket: Ticket
    var leaving: Ticket?
  }

  /// Admits a connection. Returns `nil` if the program has used up its share, or if all places are occupied and no
  /// connection can be displaced.
  mutating func enter(_ account: CostAccount) -> Entry? {
    guard hasShare(account.program) else { return nil }
    var entry = Entry(ticket: next)
    if places.count >= limit {
      guard displaces, let leaving = loser(to: account) else { return nil }
      leave(leaving)
      entry.leaving = leaving
    }
    next += 1
    take(entry.ticket, account)
    return entry
  }

  /// Assigns a connection to the program that was found to be behind it. If that program has already used up
  /// its share, removes the connection and returns `false`.
  mutating func identify(_ ticket: Ticket, as program: ProgramKey) -> Bool {
    guard let place = places[ticket], place.account.program != program else { return true }
    leave(ticket)
    guard hasShare(program) else { return false }
    take(ticket, CostAccount(program, in: place.account.family))
    places[ticket]?.isIdle = place.isIdle
    return true
  }

  func holds(_ ticket: Ticket) -> Bool { places[ticket] != nil }

  mutating func setIdle(_ isIdle: Bool, _ ticket: Ticket) { places[ticket]?.isIdle = isIdle }

  mutating func leave(_ ticket: Ticket) {
    guard let account = places.removeValue(forKey: ticket)?.account else { return }
    ofProgram.decrease(account.program)
    ofFamily.decrease(account.family)
  }

  private mutating func take(_ ticket: Ticket, _ account: CostAccount) {
    places[ticket] = Place(account: account)
    ofProgram[account.program, default: 0] += 1
    ofFamily[account.family, default: 0] += 1
  }

  private func hasShare(_ program: ProgramKey) -> Bool {
    mostOfOneProgram.map { ofProgram[program, default: 0] < $0 } ?? true
  }

  // MARK: Making space

  /// Returns the connection that a newcomer displaces. Returns `nil`, to refuse the newcomer, if no other family or
  /// program has more connections than the newcomer's would have.
  private func loser(to newcomer: CostAccount) -> Ticket? {
    guard let family = ofFamily.max(by: { $0.value < $1.value }) else { return nil }
    let isOwn = family.key == newcomer.family
    guard isOwn || family.value > ofFamily[newcomer.family, default: 0] + 1 else { return nil }
    let programs = programs(of: family.key)
    guard let most = programs.values.max(),
      !isOwn || most > programs[newcomer.program, default: 0] + 1
    else { return nil }
    let tickets = places.filter { $1.account.family == family.key && programs[$1.account.program] == most }
    let idle = tickets.filter(\.value.isIdle)
    return (idle.isEmpty ? tickets : idle).keys.min()
  }

  private func programs(of family: ProcessFamily) -> [ProgramKey: Int] {
    places.values.reduce(into: [:]) { counts, place in
      if place.account.family == family { counts[place.account.program, default: 0] += 1 }
    }
  }
}

extension Dictionary where Value == Int {
  mutating func decrease(_ key: Key) {
    guard let left = self[key].map({ $0 - 1 }) else { return }
    self[key] = left > 0 ? left : nil
  }
}
