/// The figures measured for one contender.
struct Samples {
  private var values: [Double]

  init(_ values: [Double] = []) { self.values = values }

  mutating func add(_ value: Double) { values.append(value) }

  var minimum: Double { values.min() ?? 0 }
  var maximum: Double { values.max() ?? 0 }
  var median: Double { percentile(0.5) }
  /// The minimum, the median and the maximum.
  var figures: [Double] { [minimum, median, maximum] }

  /// Returns the smallest figure that this share of all figures does not exceed.
  func percentile(_ share: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
