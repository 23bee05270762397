import Machine
import PermBroker
import PermModel

extension ProgramName {
  /// Reads a name as typed in a shell. A path may be relative, and its links are followed, because the program will be
  /// seen under the resolved path when it asks.
  init(typed text: String) {
    let name = ProgramName(text)
    let path = name.path ?? (text.contains("/") ? text : nil)
    self.init(
      text, label: path == name.path ? name.label : nil,
      path: path.map { Paths.resolved($0) ?? Paths.absolute($0) })
  }

  /// The text with the absolute path, which means the same in every folder.
  var wholeText: String {
    guard let path else { return text }
    return label.map { "\($0)@\(path)" } ?? path
  }

  /// Returns the one program meant, as the store knows it; `nil` if the store does not know it.
  ///
  /// A program for which a decision was made before it was seen is the same as the only one seen under its label.
  private func subject(in store: any PermissionStore) throws -> Subject? {
    let known = try one(in: store)
    let seen = known.filter(\.isDecidable)
    return seen.first { $0 == $0.withFileOfNow } ?? seen.last ?? known.first(where: \.isUnbound) ?? known.last
  }

  /// Returns the one program meant.
  ///
  /// - Throws: ``CommandError`` if the store does not know it, with a similar name as advice.
  func required(in store: any PermissionStore) throws -> Subject {
    if let subject = try subject(in: store) { return subject }
    let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
    throw CommandError(
      "nothing is known about a program '\(text)'",
      advice: text.nearest(in: labels).map { ["did you mean '\($0)'?"] } ?? [], status: .denied)
  }

  /// Returns the program as it would be seen if it asked now, even if it has never been seen.
  ///
  /// A file counts as it is now, because a program whose file was replaced is asked about again.
  func asking(in store: any PermissionStore) throws -> Subject {
    let subject = try subject(in: store) ?? unseen
    return subject.withFileOfNow ?? subject
  }
}
