/// The decisions that are in effect for one program and one capability. They determine the state of each atom.
///
/// Of the decisions that cover a value, the one with the narrowest scope takes precedence; at the same scope, the latest.
/// Allowing an atom also allows everything that the atom covers. Denying an atom also denies every atom that implies it,
/// because allowing that atom would also allow the denied one.
public struct DecidedAtoms: Hashable, Sendable {
  package let definition: CapabilityDefinition
  /// The verdicts on atoms, from unexpired decisions and from answers.
  private var statements: [Statement]
  private let restricted: Set<Atom>
  private let isSuspended: Bool
  /// The known facts about the values of the request whose atoms are looked up.
  private let facts: ValueFacts
  let protected: ProtectedNames

  private struct Statement: Hashable {
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
  package func decisions(behind atoms: Set<Atom>) -> [Decision] {
    let findings = atoms.map(finding)
    let state: AtomState = findings.allSatisfy { $0.state == .allowed } ? .allowed : .denied
    let counting = findings.filter { $0.state == state }.flatMap(\.statements)
    return Set(counting.compactMap(\.decision)).sorted { $0.atom < $1.atom }
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

  private func finding(of atom: Atom) -> Finding {
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

  /// Whether an atom is about writing to a protected folder as a whole. Not even an answer can allow that, because each
  /// file in the folder is asked about by itself.
  func isProtectedFolder(_ atom: Atom) -> Bool {
    guard case .folder = atom.scope else { return false }
    return facts.names(of: atom).contains { $0.writesProtected(protected) }
  }

  /// Returns the reason why an allow has no effect on an atom although its scope covers the atom's values; `nil` if it
  /// has one.
  private func obstacle(to allow: Statement, on atom: Atom) -> Obstacle? {
    if isProtectedFolder(atom) { return .protectedFolder }
    if allow.isKept, atom.isAlwaysAsked(facts) { return .alwaysAsked }
    let isExact = allow.atom.scope == atom.scope
    if facts.isInDoubt(atom) { return isExact && allow.isBrief ? nil : .doubt }
    if facts.leavesProgramOpen(atom.scope), allow.atom.scope != .any {
      return isExact && allow.isBrief ? nil : .openProgram
    }
    if isExact { return nil }
    if case .form(let form) = allow.atom.scope {
      return facts.forms.contains(form) ? nil : .formConditions
    }
    // A file with several names could be a protected one under another name.
    if atom.writesFiles, facts.hasOtherLinks(atom) { return .severalNames }
    return facts.names(of: atom).contains { $0.writesProtected(protected) } ? .protectedName : nil
  }

  /// Returns an allow that covers undecided atoms without having an effect on them; `nil` if there is none.
  package func heldBack(_ atoms: Set<Atom>) -> HeldBack? {
    let open = self.atoms(atoms, in: [.undecided])
    let found = statements.flatMap { allow in
      open.compactMap { atom -> HeldBack? in
        guard allow.verdict == .allow, let decision = allow.decision, definition.covers(allow.atom, atom)
        else { return nil }
        return obstacle(to: allow, on: atom).map { HeldBack(decision: decision, obstacle: $0) }
      }
    }
    return found.min { $0.decision.atom < $1.decision.atom }
  }
}

extension Atom {
  /// The atoms for the parts of a joined line. There is one element if the line joins nothing, and none if the atom is
  /// not about a line.
  var lines: [Atom] {
    guard case .command(let line) = scope else { return [] }
    return ShellLine(line).parts.map { Atom(capability, name, .command($0)) }
  }

  /// Whether only an answer to the request at hand can allow the atom.
  package func isAlwaysAsked(_ facts: ValueFacts) -> Bool {
    if facts.onceReason != nil { return true }
    guard case .command(let line) = scope else { return false }
    return facts.isElsewhere || ShellLine(line).isAlwaysAsked
  }

  /// Whether the atom is about writing to a protected name, or to everything below one.
  package func writesProtected(_ protected: ProtectedNames) -> Bool {
    writesFiles && protected.contain(scope)
  }

  package var writesFiles: Bool { capability == "files" && name == "write" }
}

extension ValueFacts {
  /// Returns atoms for the other names under which an atom's value was asked for.
  fileprivate func otherNames(of atom: Atom) -> [Atom] {
    paths.filter { $0.scope == atom.scope }.compactMap(\.spelling).map {
      Atom(atom.capability, atom.name, $0)
    }
  }

  /// Returns atoms for the other names of an atom's file that were denied or forbidden when they were looked up.
  fileprivate func deniedLinks(of atom: Atom) -> [Atom] {
    paths.filter { $0.scope == atom.scope }.flatMap { $0.deniedLinks ?? [] }.map {
      Atom(atom.capability, atom.name, $0)
    }
  }

  /// Whether it is not certain which file an atom is about.
  fileprivate func isInDoubt(_ atom: Atom) -> Bool {
    paths.contains { $0.scope == atom.scope && $0.doubt != nil }
  }

  /// Whether the file that an atom is about has several names.
  fileprivate func hasOtherLinks(_ atom: Atom) -> Bool {
    paths.contains { $0.scope == atom.scope && $0.file != nil }
  }

  /// Returns an atom, followed by atoms for the other names under which its value was asked for.
  func names(of atom: Atom) -> [Atom] { [atom] + otherNames(of: atom) }

  /// Returns the atoms whose decisions must be known in order to determine the states of the given atoms; `nil` for all
  /// atoms of the capability, because the denial of any file could be the denial of a hard link.
  package func needed(for atoms: Set<Atom>) -> Set<Atom>? {
    guard !paths.contains(where: { $0.file != nil }) else { return nil }
    return atoms.union(atoms.flatMap { $0.lines + otherNames(of: $0) })
  }
}

// MARK: - Answers

extension DecidedAtoms {
  package init(
    _ definition: CapabilityDefinition, standing: Standing, restricted: Set<Atom> = [],
    facts: ValueFacts = ValueFacts()
  ) {
    self.init(
      definition, decisions: standing.decisions.values + standing.everyone, restricted: restricted,
      isSuspended: standing.suspension != nil, facts: facts, protected: standing.protected)
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
