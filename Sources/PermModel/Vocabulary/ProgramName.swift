/// A program as a person names it: by label, by path, or by `label@/path` if neither alone is enough.
package struct ProgramName: Hashable, Sendable {
  /// The text as typed.
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

  /// Whether the name fits a program that the store knows. A label alone may fit several.
  package func matches(_ subject: Subject) -> Bool {
    (label.map { $0 == subject.label } ?? true) && (path.map { $0 == subject.path } ?? true)
  }
}

extension Collection<Subject> {
  /// The different programs that can be decided about without a request: those with a known file and outside of any
  /// sandbox. A program in a sandbox, or without a file, is a different one each time.
  package var places: [Subject] {
    Set(filter(\.isDecidable).map { Subject(label: $0.label, path: $0.path) })
      .sorted { ($0.path ?? "", $0.label) < ($1.path ?? "", $1.label) }
  }
}

extension Subject {
  package var isDecidable: Bool { path != nil && sandbox == nil }
}
