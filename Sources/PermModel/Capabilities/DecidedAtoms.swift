/// What the decisions that count now say about one program and one capability.
///
/// The latest decision that speaks about an atom counts. An allow speaks about all that its atom covers; a deny
/// speaks about all that would cover its atom, because allowing those would allow what was denied.
public struct DecidedAtoms: Hashable, Sendable {
  public let definition: CapabilityDefinition
  /// The verdict on each atom, from decisions that have not expired and from answers.
  private var statements: [Statement]
  /// Atoms that the machine's policy forbids.
  private let restricted: Set<Atom>
  /// Whether all allows are suspended until further notice.
  private let isSuspended: Bool

  private struct Statement: Hashable {
    var atom: Atom
    var verdict: Verdict
    var decidedAt: Timestamp
  }

  /// Gathers decisions about one program; those on other capabilities are left out.
  ///
  /// - Parameters:
  ///   - decisions: Those that count now: the caller leaves out what has expired.
  ///   - restricted: What the machine's policy forbids this program.
  ///   - isSuspended: Whether everything that was allowed counts as denied, and so does what was not asked.
  public init(
    _ definition: CapabilityDefinition, decisions: some Sequence<Decision> = [],
    restricted: Set<Atom> = [], isSuspended: Bool = false
  ) {
    self.definition = definition
    self.restricted = restricted.filter { $0.capability == definition.name }
    self.isSuspended = isSuspended
    self.statements = decisions.lazy.filter { $0.atom.capability == definition.name }
      .map { Statement(atom: $0.atom, verdict: $0.verdict, decidedAt: $0.decidedAt) }
  }

  /// The same with an answer that is not kept: it counts before every decision that is not later.
  public func answering(_ verdict: Verdict, _ atoms: Set<Atom>, at moment: Timestamp) -> DecidedAtoms {
    var copy = self
    // An answer replaces what was decided for the same atoms up to its moment, as a kept one would.
    copy.statements.removeAll { atoms.contains($0.atom) && $0.decidedAt <= moment }
    copy.statements += atoms.map { Statement(atom: $0, verdict: verdict, decidedAt: moment) }
    return copy
  }

  /// What holds for an atom. Linear in the number of decisions about this program and capability.
  public func state(of atom: Atom) -> AtomState {
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

  /// What holds for the capability's part of this name.
  public func state(of part: String) -> AtomState { state(of: Atom(definition.name, part)) }

  /// The given atoms that are in one of the given states.
  public func atoms(_ atoms: Set<Atom>, in states: Set<AtomState>) -> Set<Atom> {
    atoms.filter { states.contains(state(of: $0)) }
  }

  /// Whether every atom is allowed.
  public func allows(_ atoms: Set<Atom>) -> Bool {
    atoms.allSatisfy { state(of: $0) == .allowed }
  }
}

extension DecidedAtoms {
  /// What the store holds for one program.
  public init(_ definition: CapabilityDefinition, standing: Standing, restricted: Set<Atom> = []) {
    self.init(
      definition, decisions: standing.decisions.values, restricted: restricted,
      isSuspended: standing.suspension != nil)
  }

  /// The same with an answer that was given before, and is given again. What was denied then is not allowed by a later
  /// decision, and what was allowed then is not where a later decision denies it.
  func answering(again answer: GivenAnswer, at moment: Timestamp) -> DecidedAtoms {
    answering(.allow, answer.allowed, at: answer.at).answering(.deny, answer.denied, at: moment)
  }

  /// The same with an answer that may not have been kept.
  public func answering(_ answer: GivenAnswer) -> DecidedAtoms {
    answering(.allow, answer.allowed, at: answer.at).answering(.deny, answer.denied, at: answer.at)
  }
}
