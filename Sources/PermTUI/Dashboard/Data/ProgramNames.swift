import PermModel

extension Collection<Subject> {
  /// Returns a name that distinguishes a program from the others of this collection: its usual name if no other program
  /// has it, otherwise with the end of its path, as in `backup@…/bin/backup.sh`, or with what else differs.
  func name(of program: Subject) -> String {
    let rivals = filter { $0 != program && $0.name == program.name }
    guard !rivals.isEmpty else { return program.name }
    let tail = program.path.map { path in "@" + Self.tail(of: path, unlike: rivals.compactMap(\.path)) }
    var labelled = program
    labelled.label += tail ?? ", \(program.isUnbound ? "not seen yet" : program.processWords)"
    let twins = rivals.filter { $0.path == program.path }
    guard !twins.isEmpty else { return labelled.name }
    if let sandbox = program.sandbox { return "\(labelled.name), sandbox of pid \(sandbox.process.pid)" }
    return program.file.map { "\(labelled.name), file \($0.inode)" } ?? labelled.name
  }

  /// Returns the shortest end of a path that no other path has.
  private static func tail(of path: String, unlike others: [String]) -> String {
    let parts = path.split(separator: "/")
    let others = others.filter { $0 != path }.map { $0.split(separator: "/") }
    let count = (1...Swift.max(1, parts.count)).first { count in
      !others.contains { $0.suffix(count) == parts.suffix(count) }
    }
    guard let count, count < parts.count else { return path }
    return "…/" + parts.suffix(count).joined(separator: "/")
  }
}

extension Subject {
  fileprivate var processWords: String { fileless?.process.map { "pid \($0.pid)" } ?? "no file" }
}
