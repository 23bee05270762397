import PermModel

extension RequestEnd {
  /// Returns an end whose answer also names the paths as the program spelled them, so that the program recognizes them.
  /// Without its `..`, a path could be the name of another file, so such a path is named only as it was found.
  func naming(_ request: Request, _ definition: CapabilityDefinition) -> RequestEnd {
    guard case .answered(var answer) = self, !request.facts.paths.isEmpty else { return self }
    for fact in request.facts.paths {
      guard let spelling = fact.spelling, fact.written == nil else { continue }
      for atom in request.atoms where atom.scope == fact.scope {
        let spelled = Atom(atom.capability, atom.name, spelling)
        if answer.allowed.contains(where: { definition.covers($0, atom) }) { answer.allowed.insert(spelled) }
        if answer.denied.contains(where: { definition.covers($0, atom) }) { answer.denied.insert(spelled) }
      }
    }
    return .answered(answer)
  }
}
