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

  /// Returns atoms for the other names under which an atom's value was asked for.
  func otherNames(of atom: Atom) -> [Atom] {
    paths.filter { $0.scope == atom.scope }.compactMap(\.spelling).map {
      Atom(atom.capability, atom.name, $0)
    }
  }

  /// Returns atoms for the other names of an atom's file that were denied or forbidden when they were looked up.
  func deniedLinks(of atom: Atom) -> [Atom] {
    paths.filter { $0.scope == atom.scope }.flatMap { $0.deniedLinks ?? [] }.map {
      Atom(atom.capability, atom.name, $0)
    }
  }

  /// Returns an atom, followed by atoms for the other names under which its value was asked for.
  func names(of atom: Atom) -> [Atom] { [atom] + otherNames(of: atom) }

  /// Returns the atoms whose decisions must be known in order to determine the states of the given atoms; `nil` for all
  /// atoms of the capability, because the denial of any file could be the denial of a hard link.
  package func needed(for atoms: Set<Atom>) -> Set<Atom>? {
    guard !paths.contains(where: { $0.file != nil }) else { return nil }
    return atoms.union(
      atoms.flatMap {
        $0.lines + $0.linesInFolder + $0.possibleCommands + otherNames(of: $0) + deniedLinks(of: $0)
      })
  }
}

extension Request {
  /// The atoms with each path as the program spelled it.
  package var atomsAsSpelled: Set<Atom> { facts.asSpelled(atoms) }
}

extension Judgement {
  /// The judgement, whose states can also be looked up under the names with which the program asked for its values.
  var asAsked: Judgement {
    var copy = self
    for atom in atoms {
      for name in decided.facts.otherNames(of: atom) where !atoms.contains(name) {
        copy.decided.meant[name] = atom
      }
    }
    return copy
  }
}
