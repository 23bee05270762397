import Machine
package import PermModel

/// A control that works directly on a store. It is used by the broker that serves the store and, when no broker is
/// running, by the commands of `permtui`.
package struct StoreControl: PermissionControl, Sendable {
  let store: any PermissionStore
  let catalogue: CapabilityCatalogue
  /// The machine owner's policy, which forbids certain programs to use certain capabilities.
  let policy: MachinePolicy
  /// The origin that is recorded for the changes.
  let origin: Origin

  package init(
    _ store: any PermissionStore, catalogue: CapabilityCatalogue, policy: MachinePolicy = .none,
    origin: Origin = .commandLineAlone
  ) {
    self.store = store
    self.catalogue = catalogue
    self.policy = policy
    self.origin = origin
  }

  package func journal(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry] {
    try store.journal(filter, page)
  }

  package func announceImport() {}

  // MARK: Deciding

  package func decide(
    _ verdict: Verdict, _ program: String, in folder: String?, _ requirements: [CapabilityReference],
    for lifetime: LifetimeChoice?, note: String?
  ) throws -> DecisionResult {
    try decide([PlannedDecision(verdict, program, in: folder, requirements, for: lifetime, note: note)])
  }

  package func decide(_ decisions: [PlannedDecision]) throws -> DecisionResult {
    try store.keep(decisions.flatMap(rulings), by: origin)
  }

  /// Returns the rulings for a decision, after checking that it can be made beforehand.
  private func rulings(for decision: PlannedDecision) throws -> [Ruling] {
    guard !decision.requirements.isEmpty else { throw DecisionRefused.namesNothing }
    try decision.lifetime?.checkBeforehand(at: now)
    let verdict = decision.verdict
    let subject = try ProgramName(decision.program, in: decision.folder).decidable(verdict, in: store)
    return try decision.requirements.flatMap { reference in
      if verdict == .allow { try checkAllowing(reference, for: subject, decision.lifetime) }
      return reference.atoms.sorted().map { atom in
        let lifetime = decision.lifetime ?? atom.usualLifetime(verdict)
        return Ruling(verdict, subject: subject, atoms: [atom], lifetime: lifetime, note: decision.note)
      }
    }
  }

  /// Makes a decision about a program that is not asking right now. It is checked as one that is made beforehand.
  package func decide(_ ruling: Ruling) throws {
    try ruling.lifetime.checkBeforehand(at: now)
    if ruling.verdict == .allow {
      for (capability, atoms) in Dictionary(grouping: ruling.atoms, by: \.capability) {
        let reference = CapabilityReference(capability: capability, atoms: Set(atoms))
        try checkAllowing(reference, for: ruling.subject, ruling.lifetime)
      }
    }
    try store.decide(ruling, by: origin)
  }

  var now: Timestamp { store.environment.now().wall }

  /// Checks that an allow would have an effect, and that it is not kept for too long.
  ///
  /// - Parameter lifetime: If it is `nil`, each decision has the longest lifetime that it can have.
  private func checkAllowing(
    _ reference: CapabilityReference, for subject: Subject, _ lifetime: LifetimeChoice?
  ) throws {
    let definition = catalogue[reference.capability]?.definition ?? .unknown(reference)
    let standing = try store.standing(
      of: subject, capability: reference.capability, asking: ValueFacts().needed(for: reference.atoms))
    try Judge(of: subject, definition, under: policy)
      .checkAllowing(reference.atoms, for: lifetime, standing, at: now)
  }

  package func forget(
    _ program: String, in folder: String?, _ requirements: [CapabilityReference]
  ) throws -> [Decision] {
    let subjects = try ProgramName(program, in: folder).one(in: store)
    guard !subjects.isEmpty else {
      if program == Subject.everyone.label { return [] }
      throw try unknown(program)
    }
    var filter = DecisionFilter()
    filter.subjects = Set(subjects)
    guard !requirements.isEmpty else { return try store.forget(filter, by: origin) }
    return try store.forget(narrowed(filter, to: requirements), by: origin)
  }

  /// Returns the error for a program of which nothing is known. The error suggests a similar name if there is one.
  func unknown(_ program: String) throws(StoreError) -> BrokerError {
    let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
    return .noSuchProgram(program, meant: program.nearest(in: labels))
  }

  /// Returns the filter for the decisions about some capabilities, or about some of their parts.
  private func narrowed(
    _ filter: DecisionFilter, to requirements: [CapabilityReference]
  ) throws -> DecisionFilter {
    var filter = filter
    if let only = requirements.first, only.atoms.isEmpty, requirements.count == 1 {
      filter.capability = only.capability
      return filter
    }
    filter.atoms = try requirements.reduce(into: Set<Atom>()) { [filter] atoms, requirement in
      var whole = filter
      whole.capability = requirement.capability
      atoms.formUnion(
        requirement.atoms.isEmpty ? Set(try store.decisions(whole).map(\.atom)) : requirement.atoms)
    }
    return filter
  }

  // MARK: Undoing

  package func take(_ step: HistoryStep, onlyTelling: Bool) throws -> DecisionChange {
    let preview = try take(step, of: nil, onlyTelling: onlyTelling)
    guard preview.conflicts.isEmpty else { throw BrokerError.undoRefused(preview.conflicts) }
    return preview.change
  }

  /// Undoes or redoes the given change; if none is given, the next one in that direction. If there are conflicts, or if
  /// `onlyTelling` is set, changes nothing and only returns the effect that this would have.
  func take(
    _ step: HistoryStep, of change: DecisionChange.ID?, onlyTelling: Bool
  ) throws -> UndoPreview {
    guard let preview = try store.preview(step, of: change) else {
      throw step == .undo ? BrokerError.nothingToUndo : .nothingToRedo
    }
    guard !onlyTelling, preview.conflicts.isEmpty else { return preview }
    return try store.take(step, of: change, by: origin)
  }
}

extension CapabilityCatalogue {
  /// Returns the capability and the parts that a string such as `calendar:reminders` names.
  func reference(_ text: String) throws(BrokerError) -> CapabilityReference {
    do {
      return try parse(text)
    } catch {
      throw .unknownCapability(reason: "\(error)")
    }
  }
}

extension BrokerError {
  static func undoRefused(_ conflicts: [UndoConflict]) -> BrokerError {
    .undoRefused(reason: conflicts.map(\.inWords).joined(separator: "; "))
  }
}

extension UndoConflict {
  /// The reason, in words, why the change cannot be undone: a decision has been changed since.
  var inWords: String { "\(key.atom) for \(key.subject) has been changed since, or has ended" }
}

extension ProgramName {
  /// Returns the subjects in the store that have this name. All of them are the same program, but each might be a
  /// different version of its file.
  ///
  /// - Throws: ``BrokerError/ambiguousProgram(_:_:)`` if the name matches more than one program.
  package func one(in store: any PermissionStore) throws -> [Subject] {
    var known = try known(in: store)
    // If the same program is known both with and without a folder, a name without a folder means the program without
    // one.
    let outside = known.filter { $0.folder == nil }
    if folder == nil, !outside.places.isEmpty { known = outside }
    guard known.places.count <= 1 else { throw BrokerError.ambiguousProgram(text, known.places) }
    return known
  }

  /// Returns the program with this name, for a decision about it. The program need not have been seen before.
  ///
  /// The decision covers only the current version of the program's file. If the file is replaced, the program has to
  /// ask again. If only root can replace the file, the decision covers every file at its path. If no folder is named, a
  /// denial covers the program in every folder; an allow covers the only folder in which the program is known, if any.
  package func decidable(_ verdict: Verdict, in store: any PermissionStore) throws -> Subject {
    if text == Subject.everyone.label {
      guard folder == nil else {
        throw DecisionRefused.everyoneIsInEveryFolder
      }
      return .everyone
    }
    var subject = try program(verdict, in: store)
    do {
      try ForeignText.check(name: subject.label)
    } catch {
      throw DecisionRefused.unfitName(reason: "\(error)")
    }
    if let folder { subject.folder = try ProgramFolder(at: folder).found(folder) }
    if let now = subject.withFileOfNow { return now }
    guard subject.file == nil, let path = subject.path else { return subject }
    throw BrokerError.noSuchFile(path)
  }

  /// Returns the program with this name. If the name has a folder, or if the verdict is a denial, the result has no
  /// folder. Otherwise, it has the folder of the only known agent, if any.
  private func program(_ verdict: Verdict, in store: any PermissionStore) throws -> Subject {
    let isAnywhere = folder != nil || verdict == .deny
    let known = try isAnywhere ? inAnyFolder.known(in: store).map(\.inAnyFolder) : one(in: store)
    guard known.places.count <= 1 else { throw BrokerError.ambiguousProgram(text, known.places) }
    return known.last(where: \.isDecidable) ?? known.first(where: \.isUnbound) ?? inAnyFolder.unseen
  }

  /// A subject made from the name alone, for use when the store has no program with this name.
  package var unseen: Subject {
    Subject(vouched: text)
      ?? Subject(
        label: label ?? path?.lastPathPart ?? text, path: path, file: nil,
        folder: folder.flatMap { ProgramFolder(at: $0) })
  }
}

extension ForeignText {
  /// Runs a check. If the check fails, throws an error that names the refused parameter.
  static func checked(_ parameter: String, _ check: () throws -> Void) throws(BrokerError) {
    do {
      try check()
    } catch {
      throw .invalid(parameter: parameter, reason: "\(error)")
    }
  }
}

extension ProgramFolder? {
  fileprivate func found(_ path: String) throws(DecisionRefused) -> ProgramFolder {
    guard let self else { throw .noFolder(path) }
    return self
  }
}
