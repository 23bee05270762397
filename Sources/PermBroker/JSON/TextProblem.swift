/// The reason why a text cannot be read, or why settings cannot be changed.
package struct TextProblem: Error, Hashable {
  /// The number of the line, counted from 1.
  package var line: Int
  package var reason: String

  package init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }
}
