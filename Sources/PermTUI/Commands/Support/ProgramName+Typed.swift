import Glibc
import PermBroker
import PermModel

extension ProgramName {
  /// A name as typed in a shell: a path may be relative, and its links are followed, as the program will be seen when it
  /// asks.
  init(typed text: String) {
    let name = ProgramName(text)
    let path = name.path ?? (text.contains("/") ? text : nil)
    self.init(text, label: path == name.path ? name.label : nil, path: path.map(Self.followed))
  }

  /// The text with the whole path, which means the same in every folder.
  var wholeText: String {
    guard let path else { return text }
    return label.map { "\($0)@\(path)" } ?? path
  }

  private static func followed(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return StoreLocation.absolute(path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The one program that is meant, as the store knows it; `nil` if the store knows none.
  ///
  /// A program for which something was decided before it was seen is the same as the only one seen under its label.
  private func subject(in store: any PermissionStore) throws -> Subject? {
    let known = try one(in: store)
    let seen = known.filter(\.isDecidable)
    return seen.first { $0 == $0.withFileOfNow } ?? seen.last ?? known.first(where: \.isUnbound) ?? known.last
  }

  /// The one program that is meant, or an error that says what is known under a name like it.
  func required(in store: any PermissionStore) throws -> Subject {
    if let subject = try subject(in: store) { return subject }
    let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
    throw CommandError(
      "nothing is known about a program '\(text)'",
      advice: text.nearest(in: labels).map { ["did you mean '\($0)'?"] } ?? [], status: .denied)
  }

  /// The program as it would be seen if it asked now; it need not have been seen before.
  ///
  /// A file counts as what it is now, because a file put in its place asks again.
  func asking(in store: any PermissionStore) throws -> Subject {
    let subject = try subject(in: store) ?? unseen
    return subject.withFileOfNow ?? subject
  }
}
