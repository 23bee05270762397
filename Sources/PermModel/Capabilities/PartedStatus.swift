/// A status that can tell the state of a single part.
protocol PartedStatus {
  /// Returns the state of an atom; `nil` if the status does not tell it.
  func state(of atom: Atom) -> AtomState?
}

extension AuthorizationStatus {
  /// Returns the state that all of the atoms have; `nil` if they have different ones, or if the status does not tell.
  func state(of atoms: Set<Atom>) -> AtomState? {
    guard let parted = self as? any PartedStatus else { return nil }
    let states = Set(atoms.map(parted.state))
    return states.count == 1 ? states.first ?? nil : nil
  }
}
