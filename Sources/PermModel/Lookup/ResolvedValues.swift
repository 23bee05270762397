/// The values of a request as they are decided, and what is known about them.
package struct ResolvedValues: Hashable, Sendable {
  package var atoms: Set<Atom>
  package var facts = ValueFacts()
  /// The atoms as the program asked for them, keyed by the atoms that are decided. Only atoms with paths are included.
  private var asked: [Atom: Set<Atom>] = [:]

  package init(atoms: Set<Atom>) { self.atoms = atoms }

  /// - Parameter known: The facts about each of the paths that are asked for.
  init(_ asked: AskedValues, _ known: [SpelledPath: PathFact]) {
    self.init(atoms: asked.others)
    for path in asked.paths {
      guard let fact = known[path.spelled] else { continue }
      let atom = Atom(asked.capability, path.part, fact.scope)
      atoms.insert(atom)
      let spelled = (try? AbsolutePath(path.spelled.bytes)).map {
        Scope.found($0, isFolder: path.spelled.isFolder)
      }
      self.asked[atom, default: []].insert(Atom(asked.capability, path.part, spelled ?? fact.scope))
    }
  }

  /// Returns atoms as the program asked for them.
  package func asAsked(_ atoms: Set<Atom>) -> Set<Atom> { Set(atoms.flatMap { asked[$0] ?? [$0] }) }

  /// Whether a request asks for exactly these values. Protected names that were made or removed meanwhile change nothing
  /// about what the answer covers.
  package func isMeant(by request: Request) -> Bool {
    var facts = facts
    facts.protected = request.facts.protected
    // The person has read the whole line. The words of later lines are looked up when they are asked for.
    facts.words = request.facts.words
    facts.formsReason = request.facts.formsReason
    facts.writer = request.facts.writer
    return atoms == request.atoms && facts == request.facts
  }

  /// The number of bytes of all values and of their other names.
  package var size: Int {
    atoms.reduce(0) { $0 + $1.scope.key.count }
      + facts.paths.reduce(0) { $0 + ($1.spelling?.key.count ?? 0) + ($1.written?.utf8.count ?? 0) }
  }

  /// Checks the costs of the paths as they were found, because short links can lead to deep folders.
  func checkDepth() throws(LookupRefused) {
    // Names as short as these have fewer parts.
    guard size > AskedValues.mostParts else { return }
    let scopes = Set(atoms.map(\.scope) + facts.paths.compactMap(\.spelling))
    try AskedValues.checkDepth(of: scopes.compactMap { SpelledPath($0)?.bytes })
  }
}
