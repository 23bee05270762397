@testable import PermTUI

extension PlainWord {
  /// The tables in the form of docs/plain.md.
  static var markdown: String {
    table("word", allCases.map { ($0.usage, $0.help) }) + "\n\n" + table("answer", answers)
  }

  private static func table(_ heading: String, _ rows: [(String, String)]) -> String {
    (["| \(heading) | what it does |", "| --- | --- |"] + rows.map { "| `\($0.0)` | \($0.1) |" })
      .joined(separator: "\n")
  }
}
