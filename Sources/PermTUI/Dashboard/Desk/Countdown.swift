import PermModel

/// A countdown to `end` in seconds, shown during the last ten minutes.
struct Countdown: Sendable {
  private static let length: Int64 = 600_000_000

  let end: Timestamp

  /// Returns the number of seconds left, rounded up; `nil` if the countdown is not shown.
  func seconds(at now: Timestamp) -> Int64? {
    let left = end.microseconds.subtractingClamped(now.microseconds)
    return (1...Self.length).contains(left) ? (left + 999_999) / 1_000_000 : nil
  }

  /// Returns the time left, for example `1:52` or `26 s`; `nil` if the countdown is not shown.
  func words(at now: Timestamp) -> String? {
    guard let seconds = seconds(at: now) else { return nil }
    if seconds < 60 { return "\(seconds) s" }
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Whether at most a tenth of the time since `start` is left.
  func isUrgent(since start: Timestamp, at now: Timestamp) -> Bool {
    guard seconds(at: now) != nil else { return false }
    let left = end.microseconds.subtractingClamped(now.microseconds)
    return left <= end.microseconds.subtractingClamped(start.microseconds) / 10
  }

  /// Returns the next time at which the displayed countdown changes.
  func nextChange(after now: Timestamp) -> Timestamp {
    guard let seconds = seconds(at: now) else {
      return Timestamp(microseconds: end.microseconds.subtractingClamped(Self.length))
    }
    return Timestamp(microseconds: end.microseconds - (seconds - 1) * 1_000_000)
  }
}

extension Desk {
  /// Returns the end of a decision's lifetime, with a countdown during the last ten minutes.
  func until(_ row: DecisionRow) -> TextLine.Span {
    let end = row.lifetime.end { short($0) }
    guard let moment = row.end, let left = left(of: row) else { return TextLine.Span(end) }
    let isUrgent = Countdown(end: moment).isUrgent(since: row.decidedAt, at: now.wall)
    return TextLine.Span("\(end) (\(left))", isUrgent ? .attention : .normal)
  }

  /// Returns the time that is left of a decision during its last ten minutes.
  func left(of row: DecisionRow) -> String? { row.end.flatMap { Countdown(end: $0).words(at: now.wall) } }

  /// Returns the time until a request gives up, or the moment at which it does if that is not soon.
  func givesUp(_ request: Request?) -> TextLine.Span {
    guard let request, let end = request.givesUpAt else { return TextLine.Span("–", .muted) }
    guard let left = Countdown(end: end).words(at: now.wall) else { return TextLine.Span(short(end), .muted) }
    let isUrgent = Countdown(end: end).isUrgent(since: request.askedAt, at: now.wall)
    return TextLine.Span(left, isUrgent ? .attention : .muted)
  }
}

// MARK: - Decisions that end

extension Desk {
  /// Notes that decisions have ended. Each end is noted once, even if data that was read before it arrives later.
  mutating func noteEnds(of rows: [DecisionRow]) {
    let new = rows.filter { row in
      row.end.map { announcedEnds.updateValue($0, forKey: row.id) != $0 } ?? false
    }
    ended += new
    announcedEnds = announcedEnds.filter { now.wall.microseconds - $0.value.microseconds < 60_000_000 }
  }

  /// Marks the decisions that ended with this update in the lists until they have been seen, and announces them. The
  /// announcement waits while a report says what can be undone, or what went wrong.
  mutating func announceEnds() {
    if !ended.isEmpty { markEnds() }
    unannounced += ended
    guard let last = unannounced.last, let moment = last.end,
      report.map({ !$0.isError && !$0.isUndoable }) ?? true
    else { return }
    let others = unannounced.count == 1 ? "" : " and \(unannounced.count - 1) more"
    report = Report(text: "\(subject(ofEnd: last))\(others) ended at \(short(moment)).")
    unannounced = []
  }

  private mutating func markEnds() {
    revision += 1
    marks.note(
      ended.map {
        DecisionNews(id: $0.id.news, origin: $0.origin, at: $0.end ?? now.wall, isGone: true, isEnded: true)
      },
      dashboardID: context.dashboardID)
  }

  /// Returns the words for a decision that has ended, for example `tracker's location`.
  private func subject(ofEnd row: DecisionRow) -> String {
    let name = name(of: row.subject)
    if row.isMute { return "The mute of \(name)" }
    let what = visible(self.name(ofCapability: row.capability).lowercased())
    return row.verdict == .allow ? "\(name)'s \(what)" : "The denial of \(what) for \(name)"
  }
}
