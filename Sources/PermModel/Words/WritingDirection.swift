extension VisibleText {
  /// Returns a line for a terminal that reorders right-to-left text. Each run of it is isolated, so that it is ordered by
  /// itself, and everything around it keeps its place: the parts of a path, the columns of a table.
  ///
  /// - Complexity: O(*n*) in the length of the line.
  package static func isolated(_ line: String) -> String {
    if line.utf8.allSatisfy({ $0 < 0xd6 }) { return line }
    var (result, run) = (String.UnicodeScalarView(), String.UnicodeScalarView())
    /// The blanks after a run, which belong to it if more of it follows.
    var blanks = String.UnicodeScalarView()
    func endRun() {
      if !run.isEmpty { result.append(contentsOf: [isolate] + run + [endOfIsolate]) }
      result.append(contentsOf: blanks)
      (run, blanks) = (.init(), .init())
    }
    for scalar in line.unicodeScalars {
      if isRightToLeft(scalar) || (!run.isEmpty && blanks.isEmpty && isMark(scalar)) {
        run.append(contentsOf: blanks + [scalar])
        blanks = .init()
      } else if scalar == " ", !run.isEmpty, blanks.isEmpty {
        blanks.append(scalar)
      } else {
        endRun()
        result.append(scalar)
      }
    }
    endRun()
    return String(result)
  }

  /// The isolate whose direction is that of its first letter, and its end.
  private static let (isolate, endOfIsolate): (Unicode.Scalar, Unicode.Scalar) = ("\u{2068}", "\u{2069}")

  /// Whether a scalar is in a block that Unicode has set aside for scripts written from right to left.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }
}
