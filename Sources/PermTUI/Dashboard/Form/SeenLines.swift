/// The lines of a form that were on the screen long enough to be read. A line that was laid out but not
/// painted does not qualify.
struct SeenLines: Sendable {
  private var width = 0
  private var count = 0
  private var onScreen = 0..<0
  /// The time at which each line on the screen was first painted there.
  private var since: [Int: Int64] = [:]
  private var seen = RangeSet<Int>()

  /// Whether all lines were seen. Once true, this stays true.
  private(set) var isComplete = false

  /// Notes which lines are on the screen. A new width breaks the text into different lines, so every line
  /// must be seen again unless all of them already were.
  mutating func lay(_ lines: Range<Int>, of count: Int, width: Int) {
    if width != self.width {
      seen = RangeSet()
      since = [:]
    }
    self.width = width
    self.count = count
    guard lines != onScreen else { return }
    onScreen = lines
    since = since.filter { lines.contains($0.key) }
  }

  /// Notes that the lines of the latest layout are completely painted.
  mutating func paint(at moment: Int64) {
    for line in onScreen where since[line] == nil { since[line] = moment }
  }

  /// Forgets when the lines were painted. The next time they are painted, their time on the screen starts anew.
  mutating func cover() { since = [:] }

  /// Marks as seen those lines that have been on the screen for at least `time`.
  mutating func advance(to moment: Int64, after time: Int64) {
    guard !isComplete else { return }
    for (line, start) in since where moment - start >= time { seen.insert(contentsOf: line..<line + 1) }
    isComplete = width > 0 && (count == 0 || seen.ranges.first == 0..<count)
  }

  /// Returns the time at which ``advance(to:after:)`` would mark another line; `nil` if there is no such time.
  func deadline(after time: Int64) -> Int64? {
    isComplete ? nil : since.filter { !seen.contains($0.key) }.values.min().map { $0 + time }
  }
}
