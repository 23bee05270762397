import PermModel

extension State {
  /// Until when a decision holds, as the middle of a sentence: `forever`, `until 14:05`, `until logout`.
  func lifetime(_ row: DecisionRow) -> String {
    row.lifetime == .forever ? "forever" : "until \(end(of: row))"
  }

  /// Until when a decision holds, for a column: `forever`, `14:05`, `logout`, `pid 4711 ends`.
  func end(of row: DecisionRow) -> String {
    switch row.lifetime {
    case .forever: "forever"
    case .session: "logout"
    case .process(let process): "pid \(process.pid) ends"
    case .until(let deadline): surroundings.clock.short(deadline.wall, now: now.wall)
    }
  }
}

extension LifetimeChoice {
  /// The choice as it stands in a form.
  func words(_ evidence: Evidence?, clock: ClockFormat, now: Timestamp) -> String {
    switch self {
    case .once: "this request"
    case .process: evidence.map { "until pid \($0.process.pid) ends" } ?? "until it ends"
    case .session: "until logout"
    case .duration(let duration): duration.words
    case .until(let moment): "until \(clock.short(moment, now: now))"
    case .forever: "forever"
    }
  }
}

extension Duration {
  private static let numbers = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// The duration in words, in the largest unit that divides it: `ten minutes`, `eight hours`, `20 seconds`.
  var words: String {
    let seconds = components.seconds
    let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
    let (length, unit) = units.first { seconds >= $0.0 && seconds % $0.0 == 0 } ?? (1, "second")
    let count = Int(seconds / length)
    let number = Self.numbers.indices.contains(count) ? Self.numbers[count] : String(count)
    return "\(number) \(unit)\(count == 1 ? "" : "s")"
  }
}
