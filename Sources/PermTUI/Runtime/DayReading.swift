import Machine
import PermModel

/// The journal of a day, as far as it was read. Reading it again reads only what can have changed since.
struct DayReading: Sendable {
  /// The time for which equal answers are counted in one entry, with some to spare: an older entry stays as it is.
  private static let settlingTime: Int64 = 120
  /// The number of entries to read in one call. It is limited so that other readers never wait long.
  private static let pageSize = 500

  let number: DayNumber
  /// Whether all entries were read. Of a long day, the first part is shown while the rest is being read.
  private(set) var isWhole = false
  /// The number of entries to read before the screen shows the day again. It doubles each time, because all rows are made
  /// again for each showing.
  private var step = 4 * pageSize
  /// The entries that stay as they are.
  private var settled = Day()
  private var position: JournalEntry.ID = 0

  init(_ number: DayNumber) { self.number = number }

  /// Returns the day as far as it was read, and from where to read on.
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
    var (last, count) = (position, 0)
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
      count += page.count
      await Task.yield()
      try Task.checkCancellation()
    } while page.count == Self.pageSize && (count < step || !rest.isEmpty)
    isWhole = page.count < Self.pageSize
    step *= 2
    var day = settled
    for entry in rest { day.add(entry) }
    return DayPage(day, of: number, isWhole: isWhole) { LocalTime($0).hour }
  }

  private func filter(_ now: Timestamp) -> JournalFilter {
    let today = LocalTime(now)
    let ago = DayNumber(year: today.year, month: today.month, day: today.day).value - number.value
    let bounds = today.bounds(daysAgo: ago)
    return JournalFilter(kinds: Day.kinds, since: bounds.lowerBound, until: bounds.upperBound)
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
