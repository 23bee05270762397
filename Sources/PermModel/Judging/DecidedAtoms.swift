/// The decisions that are in effect for one program and one capability. They determine the state of each atom.
///
/// Of the decisions that cover a value, the one with the narrowest scope takes precedence; at the same scope, the latest.
/// Allowing an atom also allows everything that the atom covers. Denying an atom also denies every atom that implies it,
/// because allowing that atom would also allow the denied one.
public struct DecidedAtoms: Hashable, Sendable {
  package let definition: CapabilityDefinition
  /// The verdicts on atoms, from unexpired decisions and from answers.
  var statements: [Statement]
  private let restricted: Set<Atom>
  private let isSuspended: Bool
  /// The known facts about the values of the request whose atoms are looked up.
  let facts: ValueFacts
  let protected: ProtectedNames
  /// The atoms that are decided, keyed by the names under which a program asked for them.
  var meant: [Atom: Atom] = [:]

  struct Statement: Hashable {
    var atom: Atom
    var verdict: Verdict
    var decidedAt: Timestamp
    var isForEveryone = false
    /// Whether the verdict is kept for later requests. A kept verdict cannot allow what is always asked about.
    var isKept = true
    /// The decision with this verdict; `nil` if the verdict comes from an answer.
    var decision: Decision?

    /// Whether the verdict is not kept longer than the process lives.
    var isBrief: Bool {
      if case .process? = decision?.lifetime { return true }
      return !isKept
    }
  }

  /// Creates a value from the decisions about one program. Decisions about other capabilities are ignored.
  ///
  /// - Parameters:
  ///   - decisions: The decisions that are in effect. The caller must leave out expired ones.
  ///   - restricted: The atoms that the machine's policy forbids to this program.
  ///   - isSuspended: Whether all atoms are treated as denied, even if they are allowed or undecided.
  ///     Restricted atoms stay restricted.
  ///   - facts: What is known about the values of the request whose atoms are looked up.
  package init(
    _ definition: CapabilityDefinition, decisions: some Sequence<Decision> = [],
    restricted: Set<Atom> = [], isSuspended: Bool = false, facts: ValueFacts = ValueFacts(),
    protected: ProtectedNames = .current
  ) {
    self.definition = definition
    self.restricted = restricted.filter { $0.capability == definition.name }
    self.isSuspended = isSuspended
    self.facts = facts
    self.protected = protected
    self.statements = decisions.lazy.filter { $0.atom.capability == definition.name }
      .map {
        Statement(
          atom: $0.atom, verdict: $0.verdict, decidedAt: $0.decidedAt, isForEveryone: $0.subject.isEveryone,
          decision: $0)
      }
  }

  /// Returns a copy with an answer added. The answer replaces the earlier decisions about the same atoms.
  ///
  /// - Parameter isKept: Whether the answer is kept for later requests, or holds for the request at hand only.
  package func answering(
    _ verdict: Verdict, _ atoms: Set<Atom>, at moment: Timestamp, isKept: Bool = false
  ) -> DecidedAtoms {
    var copy = self
    // The earlier decisions are removed, as they would be if the answer were kept in the store.
    copy.statements.removeAll { statement in
      statement.decidedAt <= moment && !statement.isForEveryone
        && atoms.contains { isReplaced(statement, by: verdict, on: $0) }
    }
    copy.statements += atoms.map {
      Statement(atom: $0, verdict: verdict, decidedAt: moment, isKept: isKept)
    }
    return copy
  }

  /// Whether a verdict on an atom makes an earlier verdict obsolete. It does if both are about the same atom, or if it
  /// denies a scope inside which the earlier one allows something.
  private func isReplaced(_ earlier: Statement, by verdict: Verdict, on atom: Atom) -> Bool {
    if earlier.atom == atom { return true }
    guard verdict == .deny, earlier.verdict == .allow, atom.scope != earlier.atom.scope else { return false }
    return definition.implies(earlier.atom, atom) && atom.scope.covers(earlier.atom.scope)
  }

  /// Returns the state of an atom.
  ///
  /// The policy counts first, then the panic, then a denial for everyone, and then the decision with the narrowest
  /// scope that covers the atom's values. Of decisions with the same scope, the latest counts. An atom for several
  /// values is denied if any of them is. A joined line is allowed if each of its parts is allowed, and denied if one of
  /// them is denied.
  ///
  /// - Complexity: O(*n*) in the number of decisions given about this program and capability.
  package func state(of atom: Atom) -> AtomState { finding(of: atom).state }

  /// Returns the state of the part with this name.
  public func state(of part: String) -> AtomState { state(of: Atom(definition.name, part)) }

  /// Returns the given atoms that are in one of the given states.
  package func atoms(_ atoms: Set<Atom>, in states: Set<AtomState>) -> Set<Atom> {
    atoms.filter { states.contains(state(of: $0)) }
  }

  package func allows(_ atoms: Set<Atom>) -> Bool {
    atoms.allSatisfy { state(of: $0) == .allowed }
  }

  /// Returns the decisions that allow the given atoms or, if not all of them are allowed, those that deny some of them.
  package func decisions(behind atoms: Set<Atom>) -> [Decision] { outcome(of: atoms).decisions }

  /// Returns whether all of the given atoms are allowed, and the ``decisions(behind:)`` them.
  package func outcome(of atoms: Set<Atom>) -> (isAllowed: Bool, decisions: [Decision]) {
    let findings = atoms.map(finding)
    let isAllowed = findings.allSatisfy { $0.state == .allowed }
    let counting = isAllowed ? findings : findings.filter { $0.state == .denied }
    let decisions = counting.flatMap { $0.statements.compactMap(\.decision) }
    return (isAllowed, decisions.count < 2 ? decisions : Set(decisions).sorted { $0.atom < $1.atom })
  }
}

// MARK: - Which decision counts

extension DecidedAtoms {
  /// The state of an atom, with the verdicts that led to it.
  private struct Finding {
    var state: AtomState
    var statements: [Statement] = []

    static let undecided = Finding(state: .undecided)

    /// Whether the verdicts are about this very scope, or about everyone.
    func isAbout(_ scope: Scope) -> Bool {
      statements.contains { $0.isForEveryone || $0.atom.scope == scope }
    }

    /// Whether the atom is denied by more than the program's own denial of everything.
    var isDeniedInParticular: Bool {
      state == .denied && statements.contains { $0.isForEveryone || $0.atom.scope != .any }
    }
  }

  private func finding(of spelled: Atom) -> Finding {
    let atom = meant[spelled] ?? spelled
    let others = facts.otherNames(of: atom) + facts.deniedLinks(of: atom)
    let lines = atom.lines
    if ([atom] + others + lines).contains(where: isRestricted) { return Finding(state: .restricted) }
    if isSuspended { return Finding(state: .denied) }
    // A file that was reached through a link is denied if the link or the file is denied. A file with several names is
    // denied if one of them is.
    if let denied = others.lazy.map(ownFinding).first(where: { $0.state == .denied }) { return denied }
    return lines.count > 1 ? finding(ofJoined: atom, lines) : ownFinding(of: atom)
  }

  private func isRestricted(_ atom: Atom) -> Bool {
    restricted.contains { definition.forbids($0, atom) }
  }

  /// Returns the state of a line that joins other lines.
  private func finding(ofJoined atom: Atom, _ lines: [Atom]) -> Finding {
    let whole = ownFinding(of: atom)
    if whole.isDeniedInParticular { return whole }
    let parts = lines.map(ownFinding)
    if let denied = parts.first(where: \.isDeniedInParticular) { return denied }
    if whole.state == .allowed, whole.isAbout(atom.scope) { return whole }
    if parts.allSatisfy({ $0.state == .allowed }) {
      return Finding(state: .allowed, statements: parts.flatMap(\.statements))
    }
    // If everything is denied, so is every line that no narrower decision allows.
    return whole.state == .denied ? whole : .undecided
  }

  /// Returns the state of an atom, regardless of its other names and of the lines that it joins.
  private func ownFinding(of atom: Atom) -> Finding {
    let denials = statements.filter { $0.verdict == .deny && definition.implies(atom, $0.atom) }
    // A denial inside the scope, or one for everyone that overlaps it, cannot be outweighed by an allow.
    let final = denials.filter { denial in
      denial.atom.scope.overlaps(atom.scope)
        && (denial.isForEveryone || !denial.atom.scope.covers(atom.scope))
    }
    if !final.isEmpty { return Finding(state: .denied, statements: final) }
    let allows = statements.filter { statement in
      statement.verdict == .allow && statement.atom.scope.covers(atom.scope)
        && definition.implies(statement.atom, atom) && obstacle(to: statement, on: atom) == nil
    }
    let speaking = denials.filter { $0.atom.scope.covers(atom.scope) } + allows
    // All of these scopes cover the same values, so each of them covers the next narrower one.
    let narrowest = speaking.reduce(Scope.any) { $0.covers($1.atom.scope) ? $1.atom.scope : $0 }
    let last = speaking.filter { $0.atom.scope == narrowest }
    guard let latest = last.map(\.decidedAt).max() else { return .undecided }
    let counting = last.filter { $0.decidedAt == latest }
    let denying = counting.filter { $0.verdict == .deny }
    return denying.isEmpty
      ? Finding(state: .allowed, statements: counting) : Finding(state: .denied, statements: denying)
  }
}

extension Atom {
  /// The atoms for the parts of a joined line. There is one element if the line joins nothing, and none if the atom is
  /// not about a line.
  var lines: [Atom] {
    guard case .command(let line) = scope else { return [] }
    return ShellLine(line).parts.map { Atom(capability, name, .command($0)) }
  }
}

// MARK: - Answers

extension DecidedAtoms {
  /// Returns a copy in which an earlier answer is given again, because the program has repeated its request.
  /// A decision made since the earlier answer cannot allow an atom that the answer denied, but can deny an
  /// atom that the answer allowed.
  func answering(again answer: GivenAnswer, at moment: Timestamp) -> DecidedAtoms {
    answering(.allow, standing(of: answer), at: answer.at).answering(.deny, answer.denied, at: moment)
  }

  /// Returns a copy with an answer added. An answer that was kept is among the decisions already, unless somebody has
  /// taken it back.
  package func answering(_ answer: GivenAnswer) -> DecidedAtoms {
    if answer.isKept { return self }
    return answering(.allow, standing(of: answer), at: answer.at)
      .answering(.deny, answer.denied, at: answer.at)
  }

  /// Returns the atoms that an answer allowed, without those of which something has been denied since.
  private func standing(of answer: GivenAnswer) -> Set<Atom> {
    let later = statements.filter { $0.verdict == .deny && $0.decidedAt > answer.at }
    return answer.allowed.filter { atom in !later.contains { definition.forbids($0.atom, atom) } }
  }
}
