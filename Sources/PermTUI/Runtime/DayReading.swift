import Machine
import PermModel

/// The journal of a day, as far as it was read. Reading it again reads only what can have changed since.
struct DayReading: Sendable {
  /// The time for which equal answers are counted in one entry, with some to spare: an older entry stays as it is.
  private static let settlingTime: Int64 = 120
  /// The number of entries to read in one call. It is limited so that other readers never wait long.
  private static let pageSize = 500

  let number: DayNumber
  /// The entries that stay as they are.
  private var settled = Day()
  private var position: JournalEntry.ID = 0

  init(_ number: DayNumber) { self.number = number }

  /// Returns the day with what has happened since, and from where to read on.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; errors of the store.
  func read(_ store: any PermissionStore) async throws -> (DayPage, DayReading) {
    var next = self
    let page = try await next.readOn(store)
    return (page, next)
  }

  private mutating func readOn(_ store: any PermissionStore) async throws -> DayPage {
    let now = store.environment.now().wall
    let (filter, limit) = (filter(now), now.seconds - Self.settlingTime)
    var rest: [JournalEntry] = []
    var page: [JournalEntry]
    var last = position
    repeat {
      page = try store.journal(filter, .newer(than: last, Self.pageSize))
      for entry in page {
        if rest.isEmpty, entry.at.seconds < limit {
          settled.add(entry)
          position = entry.id
        } else {
          rest.append(entry)
        }
      }
      last = page.last?.id ?? last
      await Task.yield()
      try Task.checkCancellation()
    } while page.count == Self.pageSize
    var day = settled
    for entry in rest { day.add(entry) }
    return DayPage(day, of: number) { LocalTime($0).hour }
  }

  private func filter(_ now: Timestamp) -> JournalFilter {
    let today = LocalTime(now)
    let ago = DayNumber(year: today.year, month: today.month, day: today.day).value - number.value
    let bounds = today.bounds(daysAgo: ago)
    return JournalFilter(since: bounds.lowerBound, until: bounds.upperBound)
  }
}

extension LocalTime {
  /// Returns the beginning of the day that was so many days before, and that of the next one.
  func bounds(daysAgo days: Int) -> Range<Timestamp> {
    let begin = LocalTime(year: year, month: month, day: day - days)
    let end = LocalTime(year: year, month: month, day: day - days + 1)
    return Timestamp(seconds: begin.nearestSeconds)..<Timestamp(seconds: end.nearestSeconds)
  }
}
