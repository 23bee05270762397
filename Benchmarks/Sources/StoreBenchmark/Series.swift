/// The times of one repeated action, in microseconds.
struct Series {
  private var sorted: [Double] = []

  init(_ durations: [Duration]) {
    sorted = durations.map { $0 / .microseconds(1) }.sorted()
  }

  /// Runs a body this many times, and measures each run.
  init(_ count: Int, _ body: (Int) throws -> Void) rethrows {
    let clock = ContinuousClock()
    self.init(try (0..<count).map { index in try clock.measure { try body(index) } })
  }

  var median: Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }

  /// The minimum, the median and the maximum.
  var figures: [Double] { sorted.isEmpty ? [] : [sorted[0], median, sorted[sorted.count - 1]] }

  /// Min, median, 99th percentile and max.
  var text: String {
    guard let first = sorted.first, let last = sorted.last else { return "nothing measured" }
    return [first, median, sorted[sorted.count * 99 / 100], last]
      .map { "\(($0 * 10).rounded() / 10)" }.joined(separator: " / ")
  }
}
