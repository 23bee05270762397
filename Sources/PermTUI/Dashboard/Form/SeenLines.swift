/// The lines of a form that were on the screen long enough to be read. Lines that were only laid out were not seen.
struct SeenLines: Sendable {
  private var width = 0
  private var count = 0
  private var onScreen = 0..<0
  /// The time at which each line on the screen was first painted.
  private var since: [Int: Int64] = [:]
  private var seen = RangeSet<Int>()

  /// Whether all lines were seen.
  private(set) var isComplete = false

  /// Lays out lines. A new width breaks the lines differently, so none of them counts as seen.
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

  /// Called when the lines that were laid out last are completely painted.
  mutating func paint(at moment: Int64) {
    for line in onScreen where since[line] == nil { since[line] = moment }
  }

  /// Forgets when the lines were painted: their time starts again with the next painting.
  mutating func cover() { since = [:] }

  /// Marks lines as seen that have been on the screen for `time`.
  mutating func advance(to moment: Int64, after time: Int64) {
    guard !isComplete else { return }
    for (line, start) in since where moment - start >= time { seen.insert(contentsOf: line..<line + 1) }
    isComplete = width > 0 && (count == 0 || seen.ranges.first == 0..<count)
  }

  /// Returns the time at which ``advance(to:after:)`` would mark more.
  func deadline(after time: Int64) -> Int64? {
    isComplete ? nil : since.filter { !seen.contains($0.key) }.values.min().map { $0 + time }
  }
}
