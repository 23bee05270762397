import Machine
import PermBroker
import PermModel

extension ProgramName {
  /// Parses a name as typed in a shell. A path can be relative, and its symbolic links are followed, because
  /// a program that asks is seen under its resolved path.
  ///
  /// - Parameter folder: The folder of an agent, if one was typed.
  init(typed text: String, in folder: String? = nil) {
    let name = ProgramName(text)
    let path = name.path ?? (text.contains("/") && !Subject.isVouchedForm(text) ? text : nil)
    self.init(
      text, label: path == name.path ? name.label : nil,
      path: path.map { Paths.resolved($0) ?? Paths.absolute($0) },
      folder: folder.map { Paths.resolved($0) ?? Paths.absolute($0) })
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

  /// Returns the program as it is known outside of this name's folder; `nil` if it is not known, or if no folder was named.
  private func elsewhere(in store: any PermissionStore) throws -> Subject? {
    guard folder != nil else { return nil }
    let known = try inAnyFolder.known(in: store).map(\.inAnyFolder)
    guard known.places.count <= 1 else { throw BrokerError.ambiguousProgram(text, known.places) }
    return known.last(where: \.isDecidable)
  }

  /// Whether the store knows a program by this name.
  func isKnown(in store: any PermissionStore) throws -> Bool { try !known(in: store).isEmpty }

  /// Returns the program that this name means.
  ///
  /// - Throws: ``CommandError`` if the store knows no such program. The error suggests a similar name if there is one.
  func required(in store: any PermissionStore) throws -> Subject {
    if let subject = try subject(in: store) { return subject }
    let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
    throw CommandError(
      "nothing is known about a program '\(VisibleText.brief(text))'",
      advice: text.nearest(in: labels).map { ["did you mean '\($0)'?"] } ?? [], status: .denied)
  }

  /// Returns the program as it would be seen if it asked now, even if it has never been seen.
  ///
  /// If the program's file was replaced, the result describes the new file. Decisions about the old file do not apply
  /// to it.
  func asking(in store: any PermissionStore) throws -> Subject {
    if text == Subject.everyone.label { return .everyone }
    var subject = try subject(in: store) ?? elsewhere(in: store) ?? unseen
    if let folder, subject.folder == nil { subject.folder = ProgramFolder(at: folder) }
    return subject.withFileOfNow ?? subject
  }
}
