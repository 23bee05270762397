extension DecidedAtoms {
  /// If the given atoms are denied because a part of what they cover was denied, returns words that name this part, such
  /// as `files:read@/srv/x, which is inside, was denied`. Otherwise returns `nil`.
  package func denialInside(_ atoms: Set<Atom>) -> String? {
    let denied = self.atoms(atoms, in: [.denied])
    let denials = Set(decisions(behind: denied).map(\.atom)).filter { denial in
      denied.contains { $0.isOnlyPartlyDenied(by: denial) }
    }.sorted()
    guard let first = denials.first else { return nil }
    let others = denials.count > 1 ? " and \(denials.count - 1) more" : ""
    let place = first.scope.kind == .command ? "part of it" : "inside"
    let verb = others.isEmpty ? "is \(place), was denied" : "are \(place), were denied"
    return "\(definition.reference(for: [first]))\(others), which \(verb)"
  }
}

extension Atom {
  /// Whether a denial is about a part of this atom's values, or about a part of its joined line.
  fileprivate func isOnlyPartlyDenied(by denial: Atom) -> Bool {
    if denial.scope.denied.covers(scope) { return false }
    return scope.covers(denial.scope) || possibleLine?.commands(in: denial.scope).isEmpty == false
  }
}
