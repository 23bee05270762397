import PermModel

/// The connections that are open at one socket: a pure value.
///
/// Each program has a share. If there is no room left, the family with the most connections, and in it the program with
/// the most, loses its oldest idle connection to the newcomer; a newcomer of that same program is refused. So no
/// program can keep others out, however many processes or copies of itself it creates.
struct Door: Sendable {
  /// A connection's number, in order of arrival.
  typealias Ticket = Int

  private struct Place {
    var payer: Payer
    /// Whether none of its calls is being answered.
    var isIdle = true
  }

  let limit: Int
  /// The maximum number of connections of one program; `nil` if only the door's own limit applies.
  let mostOfOneProgram: Int?

  private var places: [Ticket: Place] = [:]
  private var ofProgram: [Asker: Int] = [:]
  private var ofFamily: [Family: Int] = [:]
  private var next = 0

  init(limit: Int, mostOfOneProgram: Int? = nil) {
    self.limit = limit
    self.mostOfOneProgram = mostOfOneProgram
  }

  var count: Int { places.count }

  /// An admitted connection, and the one that must be closed to make room for it.
  struct Entry: Hashable, Sendable {
    var ticket: Ticket
    var leaving: Ticket?
  }

  /// Admits a connection; returns `nil` if there is no room for it.
  mutating func enter(_ payer: Payer) -> Entry? {
    guard hasShare(payer.program) else { return nil }
    var entry = Entry(ticket: next)
    if places.count >= limit {
      guard let leaving = loser(to: payer) else { return nil }
      leave(leaving)
      entry.leaving = leaving
    }
    next += 1
    take(entry.ticket, payer)
    return entry
  }

  /// Counts a connection for the program that was found behind it. If that program already has its share, removes the
  /// connection and returns `false`.
  mutating func identify(_ ticket: Ticket, as program: Asker) -> Bool {
    guard let place = places[ticket], place.payer.program != program else { return true }
    leave(ticket)
    guard hasShare(program) else { return false }
    take(ticket, Payer(program, in: place.payer.family))
    places[ticket]?.isIdle = place.isIdle
    return true
  }

  func holds(_ ticket: Ticket) -> Bool { places[ticket] != nil }

  mutating func setIdle(_ isIdle: Bool, _ ticket: Ticket) { places[ticket]?.isIdle = isIdle }

  mutating func leave(_ ticket: Ticket) {
    guard let payer = places.removeValue(forKey: ticket)?.payer else { return }
    ofProgram.decrease(payer.program)
    ofFamily.decrease(payer.family)
  }

  private mutating func take(_ ticket: Ticket, _ payer: Payer) {
    places[ticket] = Place(payer: payer)
    ofProgram[payer.program, default: 0] += 1
    ofFamily[payer.family, default: 0] += 1
  }

  private func hasShare(_ program: Asker) -> Bool {
    mostOfOneProgram.map { ofProgram[program, default: 0] < $0 } ?? true
  }

  // MARK: Making room

  /// Returns the connection that must give way; `nil` if no other has more connections than the newcomer would have.
  private func loser(to newcomer: Payer) -> Ticket? {
    guard let family = ofFamily.max(by: { $0.value < $1.value }) else { return nil }
    let isOwn = family.key == newcomer.family
    guard isOwn || family.value > ofFamily[newcomer.family, default: 0] + 1 else { return nil }
    let programs = programs(of: family.key)
    guard let most = programs.values.max(),
      !isOwn || most > programs[newcomer.program, default: 0] + 1
    else { return nil }
    let tickets = places.filter { $1.payer.family == family.key && programs[$1.payer.program] == most }
    let idle = tickets.filter(\.value.isIdle)
    return (idle.isEmpty ? tickets : idle).keys.min()
  }

  private func programs(of family: Family) -> [Asker: Int] {
    places.values.reduce(into: [:]) { counts, place in
      if place.payer.family == family { counts[place.payer.program, default: 0] += 1 }
    }
  }
}

extension Dictionary where Value == Int {
  mutating func decrease(_ key: Key) {
    guard let left = self[key].map({ $0 - 1 }) else { return }
    self[key] = left > 0 ? left : nil
  }
}
