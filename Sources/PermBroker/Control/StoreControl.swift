import Machine
package import PermModel

/// A control that works directly on a store. It is used by the broker that serves the store and, when no broker is
/// running, by the commands of `permtui`.
package struct StoreControl: PermissionControl {
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

  // MARK: Deciding

  package func decide(
    _ verdict: Verdict, _ program: String, _ requirement: String, for lifetime: LifetimeChoice, note: String?
  ) throws -> [Decision] {
    let reference = try catalogue.reference(requirement)
    guard lifetime != .once, lifetime != .process else {
      throw BrokerError.invalid(
        parameter: "lifetime", reason: "there is no request and no process to tie it to")
    }
    try lifetime.checkAhead(of: store.environment.now().wall)
    let ruling = Ruling(
      verdict, subject: try ProgramName(program).decidable(in: store), atoms: reference.atoms,
      lifetime: lifetime, note: note)
    return try store.decide(ruling, by: origin)
  }

  package func forget(_ program: String, _ requirement: String?) throws -> [Decision] {
    let name = ProgramName(program)
    let subjects = try name.one(in: store)
    guard !subjects.isEmpty else {
      let labels = try store.programs(after: nil, limit: 1000).map(\.subject.label)
      throw BrokerError.noSuchProgram(program, meant: program.nearest(in: labels))
    }
    var filter = DecisionFilter(label: subjects[0].label, path: name.path)
    if let requirement, requirement.contains(":") {
      filter.atoms = try catalogue.reference(requirement).atoms
    } else {
      filter.capability = requirement
    }
    return try store.forget(filter, by: origin)
  }

  // MARK: Undoing

  package func undo(onlyTelling: Bool) throws -> DecisionChange {
    let preview = try undo(nil, onlyTelling: onlyTelling)
    guard preview.conflicts.isEmpty else { throw BrokerError.undoRefused(preview.conflicts) }
    return preview.change
  }

  /// Undoes the given change; if none is given, undoes the newest change that can be undone. If there are conflicts, or
  /// if `onlyTelling` is set, changes nothing and only returns the effect that undoing would have.
  func undo(_ change: DecisionChange.ID?, onlyTelling: Bool) throws -> UndoPreview {
    guard let preview = try store.undoPreview(of: change) else { throw BrokerError.nothingToUndo }
    guard !onlyTelling, preview.conflicts.isEmpty else { return preview }
    return try store.undo(change, by: origin)
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
  var inWords: String { "\(key.atom) for \(key.subject) was changed since" }
}

extension ProgramName {
  /// Returns the subjects in the store that have this name. All of them are the same program, but each might be a
  /// different version of its file.
  ///
  /// - Throws: ``BrokerError/ambiguousProgram(_:_:)`` if the name matches more than one program.
  package func one(in store: any PermissionStore) throws -> [Subject] {
    let known = try known(in: store)
    guard known.places.count <= 1 else { throw BrokerError.ambiguousProgram(text, known.places) }
    return known
  }

  /// Returns the program with this name, for a decision about it. The program need not have been seen before.
  ///
  /// The decision covers only the current version of the program's file. If the file is replaced, the program has to
  /// ask again. If only root can replace the file, the decision covers every file at its path.
  package func decidable(in store: any PermissionStore) throws -> Subject {
    let known = try one(in: store)
    let subject = known.last(where: \.isDecidable) ?? known.first(where: \.isUnbound) ?? unseen
    try ForeignText.checked("program") { try ForeignText.check(name: subject.label) }
    if let now = subject.withFileOfNow { return now }
    guard subject.file == nil, let path = subject.path else { return subject }
    throw BrokerError.noSuchFile(path)
  }

  /// A subject made from the name alone, for use when the store has no program with this name.
  package var unseen: Subject { Subject(label: label ?? path?.lastPathPart ?? text, path: path) }
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
