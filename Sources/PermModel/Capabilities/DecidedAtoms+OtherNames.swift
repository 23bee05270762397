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
  /// The atoms with each path as the program spelled it.
  package var atomsAsSpelled: Set<Atom> { facts.asSpelled(atoms) }
}
