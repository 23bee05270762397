/// Which lines of a form were on the screen long enough to be read. What was only laid out was not seen.
struct SeenLines: Sendable {
  private var width = 0
  private var count = 0
  private var onScreen = 0..<0
  /// Since when each line that is on the screen has been there, as far as it was painted.
  private var since: [Int: Int64] = [:]
  private var seen = RangeSet<Int>()

  /// Whether all lines were seen.
  private(set) var isComplete = false

  /// Lays out lines. Other line breaks make other lines, of which none was seen.
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

  /// The lines that were laid out last were completely painted.
  mutating func paint(at moment: Int64) {
    for line in onScreen where since[line] == nil { since[line] = moment }
  }

  /// What is on the screen may not be seen until it was painted again.
  mutating func cover() { since = [:] }

  /// Marks the lines as seen that have been there for a time.
  mutating func advance(to moment: Int64, after time: Int64) {
    guard !isComplete else { return }
    for (line, start) in since where moment - start >= time { seen.insert(contentsOf: line..<line + 1) }
    isComplete = width > 0 && (count == 0 || seen.ranges.first == 0..<count)
  }

  /// When ``advance(to:after:)`` would mark more.
  func deadline(after time: Int64) -> Int64? {
    isComplete ? nil : since.filter { !seen.contains($0.key) }.values.min().map { $0 + time }
  }
}
