/// The decisions that count now for one program and one capability, and the state of each atom that follows from them.
///
/// The latest decision about an atom counts. An allow is about everything that its atom covers; a deny is about
/// everything that would cover its atom, because allowing that would allow the denied atom.
public struct DecidedAtoms: Hashable, Sendable {
  package let definition: CapabilityDefinition
  /// The verdict on each atom, from decisions that have not expired and from answers.
  private var statements: [Statement]
  private let restricted: Set<Atom>
  private let isSuspended: Bool

  private struct Statement: Hashable {
    var atom: Atom
    var verdict: Verdict
    var decidedAt: Timestamp
  }

  /// Gathers decisions about one program; decisions about other capabilities are ignored.
  ///
  /// - Parameters:
  ///   - decisions: The decisions that count now: the caller leaves out expired ones.
  ///   - restricted: The atoms that the machine's policy forbids to this program.
  ///   - isSuspended: Whether everything counts as denied, allowed and undecided atoms alike.
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

  /// Returns a copy with an answer that is not kept. It takes precedence over every decision that is not later.
  package func answering(_ verdict: Verdict, _ atoms: Set<Atom>, at moment: Timestamp) -> DecidedAtoms {
    var copy = self
    // Like a kept answer, it replaces the decisions about the same atoms up to its moment.
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

  /// Returns the state of the capability's part of this name.
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

  /// Returns a copy with an earlier answer that is given again. A later decision cannot allow an atom that was denied
  /// then, but it can deny an atom that was allowed then.
  func answering(again answer: GivenAnswer, at moment: Timestamp) -> DecidedAtoms {
    answering(.allow, answer.allowed, at: answer.at).answering(.deny, answer.denied, at: moment)
  }

  /// Returns a copy with an answer that may not have been kept.
  package func answering(_ answer: GivenAnswer) -> DecidedAtoms {
    answering(.allow, answer.allowed, at: answer.at).answering(.deny, answer.denied, at: answer.at)
  }
}
