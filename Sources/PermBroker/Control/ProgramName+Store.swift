import Machine
package import PermModel

extension ProgramName {
  /// The programs that the store knows by this name: one program, possibly as several files.
  ///
  /// - Throws: ``BrokerError/ambiguousProgram(_:_:)`` if the name fits different programs.
  package func one(in store: any PermissionStore) throws -> [Subject] {
    let known = try known(in: store)
    guard known.places.count <= 1 else { throw BrokerError.ambiguousProgram(text, known.places) }
    return known
  }

  /// The one program to make a decision for. It need not have been seen yet.
  ///
  /// The decision is for the file's present version, because a replaced file has to ask again.
  package func decidable(in store: any PermissionStore) throws -> Subject {
    let known = try one(in: store)
    let subject = known.last(where: \.isDecidable) ?? known.first(where: \.isUnbound) ?? unseen
    do {
      try ForeignText.check(name: subject.label)
    } catch {
      throw BrokerError.invalid(parameter: "program", reason: "\(error)")
    }
    if let now = subject.withFileOfNow { return now }
    guard subject.file == nil, let path = subject.path else { return subject }
    throw BrokerError.noSuchFile(path)
  }

  /// The program as named, for a store that knows none by this name.
  package var unseen: Subject { Subject(label: label ?? path?.lastPathPart ?? text, path: path) }
}
