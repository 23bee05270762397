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
    /// The lifetime for which an answer is kept; `nil` if it is not known, or if the verdict comes from a decision.
    var choice: LifetimeChoice?

    /// Whether the verdict is not kept longer than the process lives.
    var isBrief: Bool {
      if case .process? = decision?.lifetime { return true }
      return !isKept || choice == .process
    }

    /// Whether the verdict ends with the session at the latest.
    var endsWithSession: Bool {
      decision?.lifetime.endsWithSession ?? (choice?.isWithin(.session) == true)
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
          atom: $0.atom, verdict: $0.verdict, decidedAt: $0.decidedAt,
          isForEveryone: $0.subject.isEveryone, decision: $0)
      }
  }

  /// Returns a copy with an answer added. The answer replaces the earlier decisions about the same atoms.
  ///
  /// - Parameters:
  ///   - isKept: Whether the answer is kept for later requests, or holds for the request at hand only.
  ///   - lifetime: The lifetime for which the answer is kept; `nil` if it is not known, which counts as a long one.
  package func answering(
    _ verdict: Verdict, _ atoms: Set<Atom>, at moment: Timestamp, isKept: Bool = false,
    for lifetime: LifetimeChoice? = nil
  ) -> DecidedAtoms {
    var copy = self
    // The earlier decisions are removed, as they would be if the answer were kept in the store.
    copy.statements.removeAll { statement in
      statement.decidedAt <= moment && !statement.isForEveryone
        && atoms.contains { isReplaced(statement, by: verdict, on: $0) }
    }
    copy.statements += atoms.map {
      Statement(atom: $0, verdict: verdict, decidedAt: moment, isKept: isKept, choice: lifetime)
    }
    return copy
  }

  /// Whether a verdict on an atom makes an earlier verdict obsolete. It does if both are about the same atom, or if it
  /// denies a scope inside which the earlier one allows something.
  private func isReplaced(_ earlier: Statement, by verdict: Verdict, on atom: Atom) -> Bool {
    if earlier.atom == atom { return true }
    guard verdict == .deny, earlier.verdict == .allow, atom.scope != earlier.atom.scope else { return false }
    return definition.implies(earlier.atom, atom) && atom.scope.denied.covers(earlier.atom.scope)
  }

  /// Returns the state of an atom.
  ///
  /// The policy counts first, then the panic, then a denial for everyone, and then the decision with the narrowest
  /// scope that covers the atom's values. Of decisions with the same scope, the latest counts. An atom for several
  /// values is denied if any of them is. A line is allowed if each of its parts is allowed, and denied if one of the
  /// commands in it is denied. If it may contain a denied command, only a decision about exactly this line counts that
  /// was made afterwards.
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
    let (lines, isBelow) = lines(of: atom)
    if ([atom] + others + lines).contains(where: isRestricted) { return Finding(state: .restricted) }
    // Deno tells only the program, which can have any arguments.
    let possible = facts.dialect == .deno ? atom.possibleLine?.unfinished : atom.possibleLine
    if let possible, isRestricted(atom, possible) { return Finding(state: .restricted) }
    if isSuspended { return Finding(state: .denied) }
    // A file that was reached through a link is denied if the link or the file is denied. A file with several names is
    // denied if one of them is.
    if let denied = others.lazy.map({ self.ownFinding(of: $0) }).first(where: { $0.state == .denied }) {
      return denied
    }
    let found = lines.isEmpty ? ownFinding(of: atom) : finding(ofJoined: atom, lines, isBelow)
    return possible.map { finding(of: atom, $0, otherwise: found) } ?? found
  }

  private func isRestricted(_ atom: Atom, _ line: PossibleLine) -> Bool {
    restricted.contains { definition.implies(atom, $0) && !line.commands(in: $0.scope).isEmpty }
  }

  /// Returns the state of a line after a generous look for denied commands.
  ///
  /// - Parameter found: The state without such a look.
  private func finding(of atom: Atom, _ line: PossibleLine, otherwise found: Finding) -> Finding {
    guard found.state != .denied else { return found }
    let denials = statements.filter { $0.verdict == .deny && definition.implies(atom, $0.atom) }
    if let denial = denials.first(where: { denies($0, atom, line) }) {
      return Finding(state: .denied, statements: [denial])
    }
    // The parts of a line can be harmless, each by itself.
    if found.state == .allowed, line.reach == .beyond, found.statements.allSatisfy(\.isKept) {
      return .undecided
    }
    let exact = found.statements.filter { $0.atom.scope == atom.scope }
    let isOpen = deniedPerhaps(in: line, atom).contains { denial in
      !exact.contains { !$0.isKept || $0.decidedAt > denial.decidedAt }
    }
    return isOpen ? .undecided : found
  }

  /// Returns what is denied, or forbidden by the policy, and may be in a line. The policy is as old as anything.
  private func deniedPerhaps(in line: PossibleLine, _ atom: Atom) -> [Statement] {
    let forbidden = restricted.map {
      Statement(atom: $0, verdict: .deny, decidedAt: Timestamp(microseconds: .min))
    }
    return (statements + forbidden).filter {
      $0.verdict == .deny && definition.implies(atom, $0.atom) && line.mayContain($0.atom.scope)
    }
  }

  /// Returns the scope of a denial of a command that may be in the lines that are asked about; `nil` if there is none.
  func deniedPerhaps(in atoms: Set<Atom>) -> Scope? {
    atoms.sorted().lazy.compactMap { atom in
      atom.possibleLine.flatMap { self.deniedPerhaps(in: $0, atom).first?.atom.scope }
    }.first
  }

  /// Whether a denial is about a command that is certainly in a line. A narrower decision of the program can outweigh the
  /// denial for that command, unless the denial is for everyone.
  private func denies(_ denial: Statement, _ atom: Atom, _ line: PossibleLine) -> Bool {
    line.commands(in: denial.atom.scope).contains { command in
      guard !denial.isForEveryone, let text = command.text else { return true }
      let own = ownFinding(of: Atom(atom.capability, atom.name, .command(text)))
      return own.state != .allowed
        || !own.statements.allSatisfy { denial.atom.scope.denied.covers($0.atom.scope) }
    }
  }

  private func isRestricted(_ atom: Atom) -> Bool {
    restricted.contains { definition.forbids($0, atom) }
  }

  /// Returns the atoms for the commands that a line joins, and whether it runs them in a folder below the agent's.
  private func lines(of atom: Atom) -> (atoms: [Atom], areBelow: Bool) {
    guard case .command(let line) = atom.scope, let folder = ShellLine(line).inFolder?.folder else {
      return (atom.lines, false)
    }
    if facts.words?.here.contains(folder) == true { return (atom.linesInFolder, false) }
    return facts.words?.below.contains(folder) == true ? (atom.linesInFolder, true) : ([], false)
  }

  /// Returns the state of a line that joins other lines.
  ///
  /// - Parameter isBelow: Whether the lines run in another folder than the one for which lines are kept.
  private func finding(ofJoined atom: Atom, _ lines: [Atom], _ isBelow: Bool) -> Finding {
    let whole = ownFinding(of: atom)
    if whole.isDeniedInParticular { return whole }
    let parts = lines.map { ownFinding(of: $0, isBelow: isBelow) }
    if let denied = parts.first(where: \.isDeniedInParticular) { return denied }
    if whole.state == .allowed, whole.isAbout(atom.scope) { return whole }
    if parts.allSatisfy({ $0.state == .allowed }) {
      return Finding(state: .allowed, statements: parts.flatMap(\.statements))
    }
    // If everything is denied, so is every line that no narrower decision allows.
    return whole.state == .denied ? whole : .undecided
  }

  /// Returns the state of an atom, regardless of its other names and of the lines that it joins.
  ///
  /// - Parameter isBelow: Whether a line runs in another folder than the one for which lines are kept.
  private func ownFinding(of atom: Atom, isBelow: Bool = false) -> Finding {
    let denials = statements.filter { $0.verdict == .deny && definition.implies(atom, $0.atom) }
    // A denial inside the scope, or one for everyone that overlaps it, cannot be outweighed by an allow.
    let final = denials.filter { denial in
      denial.atom.scope.denied.overlaps(atom.scope)
        && (denial.isForEveryone || !denial.atom.scope.denied.covers(atom.scope))
    }
    if !final.isEmpty { return Finding(state: .denied, statements: final) }
    let allows = statements.filter { statement in
      statement.verdict == .allow && statement.atom.scope.covers(atom.scope)
        && definition.implies(statement.atom, atom) && obstacle(to: statement, on: atom) == nil
        && !(isBelow && statement.atom.scope.isKeptForFolder)
    }
    let speaking = denials.filter { $0.atom.scope.denied.covers(atom.scope) } + allows
    // All of these scopes cover the same values, so each of them covers the next narrower one.
    let narrowest = speaking.reduce(Scope.any) { $0.denied.covers($1.atom.scope) ? $1.atom.scope : $0 }
    let last = speaking.filter { $0.atom.scope == narrowest }
    guard let latest = last.map(\.decidedAt).max() else { return .undecided }
    let counting = last.filter { $0.decidedAt == latest }
    let denying = counting.filter { $0.verdict == .deny }
    return denying.isEmpty
      ? Finding(state: .allowed, statements: counting) : Finding(state: .denied, statements: denying)
  }
}

extension Scope {
  /// Whether the scope is about lines as they run in a single folder.
  fileprivate var isKeptForFolder: Bool {
    switch self {
    case .command, .lines: true
    default: false
    }
  }
}

extension Atom {
  /// The atoms for the commands that a line runs in the folder to which it changes first.
  var linesInFolder: [Atom] {
    guard case .command(let line) = scope, let parts = ShellLine(line).inFolder?.parts else { return [] }
    return parts.map { Atom(capability, name, .command($0)) }
  }

  /// The atoms for the parts of a line, each of which must be allowed. The list is empty if the atom is not about a line,
  /// or if the line is its only part.
  var lines: [Atom] {
    guard case .command(let line) = scope else { return [] }
    let parts = ShellLine(line).parts
    return parts == [line] ? [] : parts.map { Atom(capability, name, .command($0)) }
  }

  /// The generous reading of the line; `nil` if the atom is not about one.
  var possibleLine: PossibleLine? {
    guard case .command(let line) = scope else { return nil }
    return PossibleLine(line)
  }

  /// The atoms for the commands in the line, each of which could be denied.
  var possibleCommands: [Atom] {
    (possibleLine?.commands ?? []).compactMap(\.text).map { Atom(capability, name, .command($0)) }
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
