import PermModel

extension Report {
  /// Creates the report of an error.
  init(of error: any Error) { self.init(text: Self.words(of: error), isError: true) }

  /// Returns the words for an error on a single line. Advice, which the error has on a line of its own, comes first,
  /// because a small screen cuts the end.
  static func words(of error: any Error) -> String {
    let lines = "\(error)".split(separator: "\n").map(String.init)
    guard let problem = lines.first, lines.count > 1 else { return "\(error)" }
    return (lines.dropFirst() + [HomeFolder.shortened(problem)]).joined(separator: " ")
  }
}
