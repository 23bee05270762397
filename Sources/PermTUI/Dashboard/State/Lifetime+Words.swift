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
