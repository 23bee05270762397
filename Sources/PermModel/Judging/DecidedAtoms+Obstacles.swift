// The reasons why an allow has no effect on what is asked for, although it covers it.

extension DecidedAtoms {
  /// An allow that has no effect on what is asked for, although it covers it.
  package struct HeldBack: Hashable, Sendable {
    package let decision: Decision
    package let obstacle: Obstacle
  }

  /// A reason why an allow has no effect on what is asked for, although it covers it.
  package enum Obstacle: Hashable, Sendable {
    case alwaysAsked, protectedName, protectedFolder
    /// It is not certain which file is meant.
    case doubt
    /// The asking program itself chooses which program a line runs.
    case openProgram
    /// The conditions of a command form do not hold, with the reason if there is one for a person.
    case formConditions(reason: String?)
    /// A program may write what a line runs.
    case rests(writer: String)
    /// A word that fills a hole is not the file that it must be, or leads out of the agent's folder.
    case filling
    /// A command in the line may be one that was denied with this scope.
    case mayContain(Scope)
    /// The file has several names, so it could be a protected one under another name.
    case severalNames
  }

  /// Whether an atom is about writing to a protected folder as a whole, also under another name.
  func isProtectedFolder(_ atom: Atom) -> Bool { atom.isProtectedFolder(protected, facts) }

  /// Returns the reason why an allow has no effect on an atom although its scope covers the atom's values; `nil` if it
  /// has one.
  func obstacle(to allow: Statement, on atom: Atom) -> Obstacle? {
    if isProtectedFolder(atom) { return .protectedFolder }
    if allow.isKept, !holdsAsForm(allow), atom.isAlwaysAsked(facts) { return .alwaysAsked }
    let isExact = allow.atom.scope == atom.scope
    if facts.isInDoubt(atom) { return isExact && allow.isBrief ? nil : .doubt }
    if facts.leavesProgramOpen(atom.scope), allow.atom.scope != .any {
      return isExact && allow.isBrief ? nil : .openProgram
    }
    if let writer = facts.writer, allow.restsWhileWritten(atom) { return .rests(writer: writer) }
    if isExact { return nil }
    if case .start = allow.atom.scope { return .formConditions(reason: facts.formsReason) }
    if case .lines(let lines) = allow.atom.scope {
      return facts.words?.allow(lines, atom.scope) == true ? nil : .filling
    }
    if case .form(let form) = allow.atom.scope {
      return facts.forms.contains(form) ? nil : .formConditions(reason: facts.formsReason)
    }
    // A file with several names could be a protected one under another name.
    if atom.writesFiles, facts.hasOtherLinks(atom) { return .severalNames }
    return facts.names(of: atom).contains { $0.writesProtected(protected) } ? .protectedName : nil
  }

  /// Whether an allow is for a form whose conditions hold, also in another folder than the agent's.
  private func holdsAsForm(_ allow: Statement) -> Bool {
    guard case .form(let form) = allow.atom.scope else { return false }
    return facts.forms.contains(form)
  }

  /// Returns an allow that covers undecided atoms without having an effect on them; `nil` if there is none.
  package func heldBack(_ atoms: Set<Atom>) -> HeldBack? {
    let open = self.atoms(atoms, in: [.undecided])
    let found = statements.flatMap { allow in
      open.flatMap { [$0] + $0.lines }.compactMap { atom -> HeldBack? in
        guard allow.verdict == .allow, let decision = allow.decision, definition.covers(allow.atom, atom)
        else { return nil }
        let obstacle = obstacle(to: allow, on: atom) ?? deniedPerhaps(in: [atom]).map { .mayContain($0) }
        return obstacle.map { HeldBack(decision: decision, obstacle: $0) }
      }
    }
    return found.min { $0.decision.atom < $1.decision.atom }
  }
}

extension Atom {
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

  /// Whether the atom is about writing to a protected folder as a whole. Not even an answer can allow that, because each
  /// file in the folder is asked about by itself.
  package func isProtectedFolder(
    _ protected: ProtectedNames, _ facts: ValueFacts = ValueFacts()
  ) -> Bool {
    guard case .folder = scope else { return false }
    return facts.names(of: self).contains { $0.writesProtected(protected) }
  }
}

extension DecidedAtoms.Statement {
  /// Whether an allow has no effect on a line while any program may write what it runs.
  fileprivate func restsWhileWritten(_ atom: Atom) -> Bool {
    guard isKept, case .command(let line) = atom.scope, self.atom.scope != .any, PossibleLine(line).runsFolder
    else {
      return false
    }
    return self.atom.scope != atom.scope
      || self.atom.restsWhileWritten(endsWithSession: endsWithSession)
  }
}

extension WordFacts {
  /// Whether the words with which a line fills holes are the files that they must be, and lead nowhere else.
  fileprivate func allow(_ lines: HoledLine, _ scope: Scope) -> Bool {
    guard case .command(let line) = scope, let filling = lines.filling(in: line) else { return false }
    return filling.allSatisfy { found in
      found.file.map(files.contains) != false && leadingOut.isDisjoint(with: HoledLine.paths(in: found.word))
    }
  }
}

extension ValueFacts {
  /// Whether it is not certain which file an atom is about.
  fileprivate func isInDoubt(_ atom: Atom) -> Bool {
    paths.contains { $0.scope == atom.scope && $0.doubt != nil }
  }

  /// Whether the file that an atom is about has several names.
  fileprivate func hasOtherLinks(_ atom: Atom) -> Bool {
    paths.contains { $0.scope == atom.scope && $0.file != nil }
  }
}
