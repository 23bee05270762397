import Machine
package import PermModel

/// A program as a person names it: by label, by path, or by `label@path`.
package struct ProgramName {
  private let text: String
  private let label: String?
  let path: String?

  package init(_ text: String) {
    self.text = text
    if text.hasPrefix("/") {
      label = nil
      path = text
    } else if let at = text.firstRange(of: "@/") {
      label = String(text[..<at.lowerBound])
      path = String(text[text.index(after: at.lowerBound)...])
    } else {
      label = text
      path = nil
    }
  }

  /// What the store knows under this name; the same program may be there as several files, one after the other.
  ///
  /// - Throws: ``BrokerError/ambiguousProgram(_:_:)`` if the name fits different programs.
  func known(in store: any PermissionStore) throws -> [Subject] {
    let fitting = try store.subjects(named: path ?? text).filter { subject in
      (label.map { $0 == subject.label } ?? true) && (path.map { $0 == subject.path } ?? true)
    }
    let different = Set(fitting.filter(\.isDecidable).map { Subject(label: $0.label, path: $0.path) })
    guard different.count <= 1 else {
      throw BrokerError.ambiguousProgram(text, different.sorted { ($0.path ?? "") < ($1.path ?? "") })
    }
    return fitting
  }

  /// The one program that a decision shall be for. It need not have been seen yet.
  ///
  /// A file counts as what it is now, because a file that is put in its place asks again.
  package func decidable(in store: any PermissionStore) throws -> Subject {
    let known = try known(in: store)
    let subject =
      known.last(where: \.isDecidable) ?? known.first(where: \.isUnbound)
      ?? Subject(label: label ?? path?.lastPathPart ?? text, path: path)
    do {
      try ForeignText.check(name: subject.label)
    } catch {
      throw BrokerError.invalid(parameter: "program", reason: "\(error)")
    }
    if let now = subject.withFileOfNow { return now }
    guard subject.file == nil, let path = subject.path else { return subject }
    throw BrokerError.noSuchFile(path)
  }
}

extension Subject {
  /// Whether a decision can be made for it beside a request of its own: a file was seen, and not in a sandbox.
  fileprivate var isDecidable: Bool { path != nil && sandbox == nil }
}
