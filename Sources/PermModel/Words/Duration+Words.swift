extension Duration {
  private static let numbers = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// The duration in words, in the largest unit that divides it: `ten minutes`, `eight hours`, `20 seconds`.
  package var words: String {
    let seconds = components.seconds
    let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
    let (length, unit) = units.first { seconds >= $0.0 && seconds % $0.0 == 0 } ?? (1, "second")
    let count = Int(seconds / length)
    let number = Self.numbers.indices.contains(count) ? Self.numbers[count] : String(count)
    return "\(number) \(unit)\(count == 1 ? "" : "s")"
  }
}
