import Machine
import PermBroker
import PermModel

extension ProgramName {
  /// Parses a name as typed in a shell. A path can be relative, and its symbolic links are followed, because
  /// a program that asks is seen under its resolved path.
  init(typed text: String) {
    let name = ProgramName(text)
    let path = name.path ?? (text.contains("/") ? text : nil)
    self.init(
      text, label: path == name.path ? name.label : nil,
      path: path.map { Paths.resolved($0) ?? Paths.absolute($0) })
  }

  /// The name with an absolute path, which has the same meaning in every working directory.
  var wholeText: String {
    guard let path else { return text }
    return label.map { "\($0)@\(path)" } ?? path
  }

  /// Returns the program that this name means, as the store knows it; `nil` if the store knows no such program.
  ///
  /// A decision can be made about a label before any program is seen under it. If exactly one program has been seen
  /// under that label since then, the decision is about that program.
  private func subject(in store: any PermissionStore) throws -> Subject? {
    let known = try one(in: store)
    let seen = known.filter(\.isDecidable)
    return seen.first { $0 == $0.withFileOfNow } ?? seen.last ?? known.first(where: \.isUnbound) ?? known.last
  }

  /// Returns the program that this name means.
  ///
  /// - Throws: ``CommandError`` if the store knows no such program. The error suggests a similar name if there is one.
  func required(in store: any PermissionStore) throws -> Subject {
    if let subject = try subject(in: store) { return subject }
    let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
    throw CommandError(
      "nothing is known about a program '\(text)'",
      advice: text.nearest(in: labels).map { ["did you mean '\($0)'?"] } ?? [], status: .denied)
  }

  /// Returns the program as it would be seen if it asked now, even if it has never been seen.
  ///
  /// If the program's file was replaced, the result describes the new file. Decisions about the old file do not apply
  /// to it.
  func asking(in store: any PermissionStore) throws -> Subject {
    let subject = try subject(in: store) ?? unseen
    return subject.withFileOfNow ?? subject
  }
}
