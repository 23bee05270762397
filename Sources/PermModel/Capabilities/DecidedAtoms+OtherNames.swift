import Machine

extension DecidedAtoms {
  /// Forbids every requested path to a file that is forbidden under another of its names (a hard link).
  ///
  /// - Parameter names: Returns those of the given paths that lead to the given file now.
  mutating func forbidHardLinks(
    in facts: ValueFacts,
    names: (_ paths: Set<AbsolutePath>, _ file: LinkedFile) -> Set<AbsolutePath> = LinkedFile.names
  ) {
    for fact in facts.paths {
      if let file = fact.file { forbid(fact.scope) { names($0, file) } }
    }
  }

  /// Forbids a scope in the same way as every forbidden entry that is another name for the same file.
  private mutating func forbid(_ scope: Scope, names: (Set<AbsolutePath>) -> Set<AbsolutePath>) {
    let entries = [restricted, denied].map { atoms in
      atoms.compactMap { atom in atom.scope == scope ? nil : atom.scope.entry.map { (atom, $0) } }
    }
    let names = names(Set(entries.joined().map(\.1)))
    for (forbidden, isPolicy) in zip(entries, [true, false]) {
      let same = forbidden.filter { names.contains($0.1) }
      forbid(Set(same.map { Atom($0.0.capability, $0.0.name, scope) }), byPolicy: isPolicy)
    }
  }
}

extension LinkedFile {
  /// Returns those of the given paths that lead to this file now. If that cannot be determined in time, returns all of
  /// them, so that too much is forbidden rather than too little.
  package static func names(_ paths: Set<AbsolutePath>, of file: LinkedFile) -> Set<AbsolutePath> {
    guard !paths.isEmpty else { return [] }
    guard looks.withLock({ $0 < mostLooks }) else { return paths }
    looks.withLock { $0 += 1 }
    let found = BlockingThread.result(within: .milliseconds(200)) {
      defer { looks.withLock { $0 -= 1 } }
      return paths.filter { path in
        FileStatus(path.bytes).map { $0.device == file.device && $0.inode == file.inode } ?? false
      }
    }
    return found ?? paths
  }

  /// The number of looks that have not ended. A file system that hangs leaves a thread behind with each look.
  private static let looks = Lock(0)
  private static let mostLooks = 4
}

extension Scope {
  /// The path of the single entry that the scope means; `nil` if the scope is of another kind.
  fileprivate var entry: AbsolutePath? {
    if case .path(let path) = self { path } else { nil }
  }
}

extension ValueFacts {
  /// Returns atoms with each path as the program spelled it.
  fileprivate func asSpelled(_ atoms: Set<Atom>) -> Set<Atom> {
    let spellings = paths.compactMap { fact in fact.spelling.map { (fact.scope, $0) } }
    return Set(
      atoms.flatMap { atom in
        let names = spellings.filter { $0.0 == atom.scope }.map { Atom(atom.capability, atom.name, $0.1) }
        return names.isEmpty ? [atom] : names
      })
  }
}

extension Request {
  /// The atoms whose decisions determine the answer; `nil` for all atoms of the capability.
  package var atomsToLookUp: Set<Atom>? { facts.needed(for: atoms) }

  /// The atoms with each path as the program spelled it.
  package var atomsAsSpelled: Set<Atom> { facts.asSpelled(atoms) }
}
