/// An event or a reminder in a calendar file.
struct CalendarItem: Hashable, Sendable {
  enum Kind: Sendable { case event, reminder }

  var kind: Kind
  var title: String
  /// When an event begins, or a reminder is due; `nil` where the file gives no moment.
  var start: CalendarMoment?
  var recurrence: Recurrence?
  /// Moments at which a repeated item is left out.
  var exceptions: [CalendarMoment] = []
  /// Whether the reminder is done, or the event was called off.
  var isOver: Bool = false

  /// The first time from a moment on; `nil` if there is none.
  func next(from now: Timestamp) -> CalendarMoment? {
    guard !isOver, let start else { return nil }
    guard let recurrence else { return start.timestamp >= now ? start : nil }
    let left = Set(exceptions.map(\.timestamp))
    return recurrence.moments(from: start).first { $0.timestamp >= now && !left.contains($0.timestamp) }
  }
}
