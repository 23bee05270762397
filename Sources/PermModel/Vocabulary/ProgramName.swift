/// The name by which a person refers to a program: its label, its path, or `label@/path` if each of these alone
/// is ambiguous. For an agent, the folder in which its decisions apply can be added.
package struct ProgramName: Hashable, Sendable {
  /// The name as it was typed.
  package let text: String
  package let label: String?
  package let path: String?
  /// The path of an agent's folder.
  package var folder: String?

  package init(_ text: String, in folder: String? = nil) {
    self.text = text
    self.folder = folder
    if text.hasPrefix("/") {
      (label, path) = (nil, text)
    } else if let sign = text.firstRange(of: "@/")?.lowerBound, sign > text.startIndex {
      label = String(text[..<sign])
      path = String(text[text.index(after: sign)...])
    } else {
      (label, path) = (text, nil)
    }
  }

  package init(_ text: String, label: String?, path: String?, folder: String? = nil) {
    self.text = text
    self.folder = folder
    self.label = label
    self.path = path
  }

  /// Whether the name refers to this program. A label alone can refer to several programs, and a name without a folder
  /// to an agent in several folders.
  package func matches(_ subject: Subject) -> Bool {
    (label.map { $0 == subject.label } ?? true) && (path.map { $0 == subject.path } ?? true)
      && (folder.map { $0 == subject.folder?.path } ?? true)
  }

  /// The same name without a folder.
  package var inAnyFolder: ProgramName { ProgramName(text, label: label, path: path) }
}

extension Collection<Subject> {
  /// The distinct programs about which decisions can be made without a request: those that have a known file and run
  /// outside of any sandbox. A program in a sandbox or without a file is left out, because it counts as a different
  /// program each time it runs. An agent is listed once for each path of a folder.
  package var places: [Subject] {
    var places: [[String?]: Subject] = [:]
    for subject in self where subject.isDecidable {
      places[[subject.label, subject.path, subject.folder?.path]] = Subject(
        label: subject.label, path: subject.path, file: nil, folder: subject.folder)
    }
    return places.values.sorted {
      ($0.path ?? "", $0.label, $0.folder?.path ?? "") < ($1.path ?? "", $1.label, $1.folder?.path ?? "")
    }
  }
}

extension Subject {
  package var isDecidable: Bool { path != nil && sandbox == nil }
}
