/// The name by which a person refers to a program: its label, its path, or `label@/path` if each of these alone
/// is ambiguous.
package struct ProgramName: Hashable, Sendable {
  /// The name as it was typed.
  package let text: String
  package let label: String?
  package let path: String?

  package init(_ text: String) {
    self.text = text
    if text.hasPrefix("/") {
      (label, path) = (nil, text)
    } else if let sign = text.firstRange(of: "@/")?.lowerBound, sign > text.startIndex {
      label = String(text[..<sign])
      path = String(text[text.index(after: sign)...])
    } else {
      (label, path) = (text, nil)
    }
  }

  package init(_ text: String, label: String?, path: String?) {
    self.text = text
    self.label = label
    self.path = path
  }

  /// Whether the name refers to this program. A label alone can refer to several programs.
  package func matches(_ subject: Subject) -> Bool {
    (label.map { $0 == subject.label } ?? true) && (path.map { $0 == subject.path } ?? true)
  }
}

extension Collection<Subject> {
  /// The distinct programs about which decisions can be made without a request: those that have a known file and run
  /// outside of any sandbox. A program in a sandbox or without a file is left out, because it counts as a different
  /// program each time it runs.
  package var places: [Subject] {
    Set(filter(\.isDecidable).map { Subject(label: $0.label, path: $0.path) })
      .sorted { ($0.path ?? "", $0.label) < ($1.path ?? "", $1.label) }
  }
}

extension Subject {
  package var isDecidable: Bool { path != nil && sandbox == nil }
}
