/// The decisions that are in effect for one program and one capability. They determine the state of each atom.
///
/// The latest decision about an atom takes precedence. Allowing an atom also allows everything that the atom covers.
/// Denying an atom also denies every atom that covers it, because allowing that atom would also allow the denied one.
public struct DecidedAtoms: Hashable, Sendable {
  package let definition: CapabilityDefinition
  /// The verdicts on atoms, from unexpired decisions and from answers.
  private var statements: [Statement]
  private let restricted: Set<Atom>
  private let isSuspended: Bool

  private struct Statement: Hashable {
    var atom: Atom
    var verdict: Verdict
    var decidedAt: Timestamp
  }

  /// Creates a value from the decisions about one program. Decisions about other capabilities are ignored.
  ///
  /// - Parameters:
  ///   - decisions: The decisions that are in effect. The caller must leave out expired ones.
  ///   - restricted: The atoms that the machine's policy forbids to this program.
  ///   - isSuspended: Whether all atoms are treated as denied, even if they are allowed or undecided.
  ///     Restricted atoms stay restricted.
  package init(
    _ definition: CapabilityDefinition, decisions: some Sequence<Decision> = [],
    restricted: Set<Atom> = [], isSuspended: Bool = false
  ) {
    self.definition = definition
    self.restricted = restricted.filter { $0.capability == definition.name }
    self.isSuspended = isSuspended
    self.statements = decisions.lazy.filter { $0.atom.capability == definition.name }
      .map { Statement(atom: $0.atom, verdict: $0.verdict, decidedAt: $0.decidedAt) }
  }

  /// Returns a copy with an answer added. The answer replaces the earlier decisions about the same atoms.
  package func answering(_ verdict: Verdict, _ atoms: Set<Atom>, at moment: Timestamp) -> DecidedAtoms {
    var copy = self
    // The earlier decisions are removed, as they would be if the answer were kept in the store.
    copy.statements.removeAll { atoms.contains($0.atom) && $0.decidedAt <= moment }
    copy.statements += atoms.map { Statement(atom: $0, verdict: verdict, decidedAt: moment) }
    return copy
  }

  /// Returns the state of an atom.
  ///
  /// - Complexity: O(*n*) in the number of decisions about this program and capability.
  package func state(of atom: Atom) -> AtomState {
    if restricted.contains(where: { definition.forbids($0, atom) }) { return .restricted }
    if isSuspended { return .denied }
    let speaking = statements.filter { statement in
      switch statement.verdict {
      case .allow: definition.covers(statement.atom, atom)
      case .deny: definition.covers(atom, statement.atom)
      }
    }
    guard let latest = speaking.map(\.decidedAt).max() else { return .undecided }
    let last = speaking.filter { $0.decidedAt == latest }
    return last.contains { $0.verdict == .deny } ? .denied : .allowed
  }

  /// Returns the state of the part with this name.
  public func state(of part: String) -> AtomState { state(of: Atom(definition.name, part)) }

  /// Returns the given atoms that are in one of the given states.
  package func atoms(_ atoms: Set<Atom>, in states: Set<AtomState>) -> Set<Atom> {
    atoms.filter { states.contains(state(of: $0)) }
  }

  package func allows(_ atoms: Set<Atom>) -> Bool {
    atoms.allSatisfy { state(of: $0) == .allowed }
  }
}

extension DecidedAtoms {
  package init(_ definition: CapabilityDefinition, standing: Standing, restricted: Set<Atom> = []) {
    self.init(
      definition, decisions: standing.decisions.values, restricted: restricted,
      isSuspended: standing.suspension != nil)
  }

  /// Returns a copy in which an earlier answer is given again, because the program has repeated its request.
  /// A decision made since the earlier answer cannot allow an atom that the answer denied, but can deny an
  /// atom that the answer allowed.
  func answering(again answer: GivenAnswer, at moment: Timestamp) -> DecidedAtoms {
    answering(.allow, answer.allowed, at: answer.at).answering(.deny, answer.denied, at: moment)
  }

  /// Returns a copy with an answer added, whether or not the answer was kept.
  package func answering(_ answer: GivenAnswer) -> DecidedAtoms {
    answering(.allow, answer.allowed, at: answer.at).answering(.deny, answer.denied, at: answer.at)
  }
}
