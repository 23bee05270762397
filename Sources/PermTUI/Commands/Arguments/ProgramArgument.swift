import Machine
import PermModel

/// A program as typed: its label, its path, or `label@/path` where neither alone names one.
struct ProgramArgument: Hashable, Sendable {
  /// The text as typed.
  let text: String
  let label: String?
  /// The file, with links followed where it is there, as it will be seen when it asks.
  let path: String?

  init(_ text: String) {
    self.text = text
    if let sign = text.indices.first(where: { text[$0...].hasPrefix("@/") }), sign > text.startIndex {
      label = String(text[..<sign])
      path = Self.followed(String(text[text.index(after: sign)...]))
    } else if text.contains("/") {
      label = nil
      path = Self.followed(text)
    } else {
      label = text
      path = nil
    }
  }

  /// The text with the whole path, as it means the same in every folder.
  var wholeText: String {
    guard let path else { return text }
    return label.map { "\($0)@\(path)" } ?? path
  }

  /// Whether a program that the store knows is meant. A label alone does not tell which of several.
  func matches(_ subject: Subject) -> Bool {
    (label.map { $0 == subject.label } ?? true) && (path.map { $0 == subject.path } ?? true)
  }

  private static func followed(_ path: String) -> String {
    Paths.resolved(path) ?? Paths.absolute(path)
  }
}
