extension String {
  /// Returns the name that was probably meant; `nil` if that is unclear.
  ///
  /// If exactly one name begins with this string, returns that name. Otherwise, returns the only name with the smallest
  /// edit distance. The distance must not exceed 2, or 1 if this string has fewer than four characters.
  package func nearest(in names: [String]) -> String? {
    let begun = names.filter { !isEmpty && $0.hasPrefix(self) }
    if begun.count == 1 { return begun.first }
    let limit = count < 4 ? 1 : 2
    let distances = names.map { ($0, editDistance(to: $0)) }
    guard let best = distances.map(\.1).min(), best <= limit else { return nil }
    let nearest = distances.filter { $0.1 == best }
    return nearest.count == 1 ? nearest.first?.0 : nil
  }

  /// Returns the edit distance to another string: the smallest number of characters that must be inserted, deleted,
  /// replaced, or swapped with a neighbour. Upper and lower case are not distinguished.
  func editDistance(to other: String) -> Int {
    let source = Array(lowercased())
    let target = Array(other.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1] + Array(repeating: 0, count: target.count)
      for column in target.indices {
        let replaced = last[column] + (source[row] == target[column] ? 0 : 1)
        var best = Swift.min(last[column + 1] + 1, current[column] + 1, replaced)
        let isSwap =
          row > 0 && column > 0 && source[row] == target[column - 1] && source[row - 1] == target[column]
        if isSwap { best = Swift.min(best, beforeLast[column - 1] + 1) }
        current[column + 1] = best
      }
      (beforeLast, last) = (last, current)
    }
    return last[target.count]
  }
}
