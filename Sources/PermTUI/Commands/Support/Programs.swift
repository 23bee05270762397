import Machine
import PermModel

/// Finds out which program an argument means.
struct Programs {
  let store: any PermissionStore

  /// The one program that is meant, as the store knows it; `nil` if the store knows none.
  ///
  /// A program for which something was decided before it was seen is the same as the only one seen under its label.
  ///
  /// - Throws: ``CommandError`` that lists them if there are several, or `StoreError`.
  func known(_ program: ProgramArgument) throws -> Subject? {
    let subjects = try store.subjects(named: program.path ?? program.text).filter(program.matches)
    // What runs in a sandbox, or has no file, is another program each time.
    let seen = subjects.filter { $0.path != nil && !$0.isSandboxed }
    let places = Set(seen.map { Subject(label: $0.label, path: $0.path) })
    guard places.count > 1 else {
      return seen.first { $0 == $0.withFileOfNow } ?? seen.last ?? subjects.first(where: \.isUnbound)
        ?? subjects.last
    }
    throw CommandError.usage(
      "'\(program.text)' fits several programs; name one by its path",
      advice: places.map { "\($0.label)@\($0.path ?? "")" }.sorted())
  }

  /// The one program that is meant, or an error that says what is known under a name like it.
  func required(_ program: ProgramArgument) throws -> Subject {
    if let subject = try known(program) { return subject }
    let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
    let meant = program.text.nearest(in: labels)
    throw CommandError(
      "nothing is known about a program '\(program.text)'",
      advice: meant.map { ["did you mean '\($0)'?"] } ?? [], status: .denied)
  }

  /// The program as it would be seen if it asked now; it need not have been seen before.
  ///
  /// A file counts as what it is now, because a file put in its place asks again.
  func asking(_ program: ProgramArgument) throws -> Subject {
    let label = program.label ?? program.path?.lastPathPart ?? ""
    let subject = try known(program) ?? Subject(label: label, path: program.path)
    return subject.withFileOfNow ?? subject
  }
}
