/// The lines of a form that were on the screen long enough to be read. A line that was laid out but not
/// painted does not qualify.
struct SeenLines: Sendable {
  /// The width of the lines, in cells; 0 as long as nothing was laid out.
  private(set) var width = 0
  private var lines: [TextLine] = []
  private var choice: [Int] = []
  private var onScreen = 0..<0
  /// The time at which each line on the screen was first painted there.
  private var since: [Int: Int64] = [:]
  private var seen = RangeSet<Int>()
  /// The lines that the latest choice has changed on the screen, in a form that was completely seen before.
  private var changed = RangeSet<Int>()
  /// The time at which a frame was painted that made lines count as seen; `nil` if the next frame was painted since. The
  /// frame itself still shows that they are unread.
  private var completedAt: Int64?

  /// Whether all lines were seen.
  var isComplete: Bool { width > 0 && (lines.isEmpty || seen.ranges.first == 0..<lines.count) }

  /// The first lines, one after the other, that were not seen; `nil` if all were.
  var unread: Range<Int>? {
    guard !isComplete else { return nil }
    return RangeSet(lines.indices).subtracting(seen).ranges.first
  }

  /// The first lines, one after the other, that were not seen and are not on the screen now; `nil` if there are none.
  var unreadElsewhere: Range<Int>? {
    guard !isComplete else { return nil }
    return RangeSet(lines.indices).subtracting(seen).subtracting(RangeSet(onScreen)).ranges.first
  }

  /// Whether some of the lines on the screen were not there long enough to be read.
  var isPageUnread: Bool { !RangeSet(onScreen).subtracting(seen).isEmpty }

  /// Notes which lines are on the screen.
  ///
  /// A new width breaks the text into different lines, so every line must be seen again unless all of them already
  /// were. Lines that a new choice has changed must be seen again too, but not those that change with the time.
  ///
  /// - Parameter choice: The person's choices in the form, on which the text of some lines depends.
  mutating func lay(_ visible: Range<Int>, of lines: [TextLine], width: Int, choice: [Int]) {
    let (all, wasComplete) = (RangeSet(lines.indices), isComplete)
    if width != self.width {
      (seen, since) = (wasComplete ? all : RangeSet(), [:])
    } else if choice != self.choice {
      let same = zip(lines, self.lines).map(==)
      let new = RangeSet(lines.indices.filter { !same.indices.contains($0) || !same[$0] }, within: lines)
      changed = wasComplete ? new.intersection(RangeSet(visible)) : RangeSet()
      seen.subtract(new)
      since = since.filter { !new.contains($0.key) }
    }
    seen.formIntersection(all)
    (self.width, self.lines, self.choice) = (width, lines, choice)
    guard visible != onScreen else { return }
    onScreen = visible
    since = since.filter { visible.contains($0.key) }
  }

  /// Notes that the lines of the latest layout are completely painted. The changed ones count as seen immediately.
  mutating func paint(at moment: Int64) {
    for line in onScreen where since[line] == nil { since[line] = moment }
    if !changed.isEmpty { completedAt = moment }
    seen.formUnion(changed)
    changed = RangeSet()
  }

  /// Forgets when the lines were painted. When they are painted again, their time on the screen starts at zero.
  mutating func cover() { since = [:] }

  /// Marks as seen those lines that have been on the screen for at least `time`.
  mutating func advance(to moment: Int64, after time: Int64) {
    completedAt = nil
    for (line, start) in since where moment - start >= time { seen.insert(contentsOf: line..<line + 1) }
  }

  /// Returns the time at which ``advance(to:after:)`` would mark another line, or at which the screen must show that lines
  /// were seen; `nil` if there is no such time.
  func deadline(after time: Int64) -> Int64? {
    if let completedAt { return completedAt }
    return isComplete ? nil : since.filter { !seen.contains($0.key) }.values.min().map { $0 + time }
  }
}

extension Range<Int> {
  /// The lines at these indices, as people count them, for example `Lines 1-5`.
  var lineWords: String { count == 1 ? "Line \(lowerBound + 1)" : "Lines \(lowerBound + 1)-\(upperBound)" }
}
