import Machine
package import PermModel

/// Carries out people's commands in a store: for the broker that serves it, or for a command that found no broker.
package struct StoreControl: PermissionControl {
  let store: any PermissionStore
  let catalogue: CapabilityCatalogue
  /// The prohibitions of the machine's owner.
  let policy: MachinePolicy
  /// The origin of the changes.
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

  /// Takes a change back, unless there are conflicts or only the effect is wanted.
  func undo(_ change: DecisionChange.ID?, onlyTelling: Bool) throws -> UndoPreview {
    guard let preview = try store.undoPreview(of: change) else { throw BrokerError.nothingToUndo }
    guard !onlyTelling, preview.conflicts.isEmpty else { return preview }
    return try store.undo(change, by: origin)
  }
}

extension CapabilityCatalogue {
  /// Returns the capability and the parts that a text names.
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
  /// The decision that changed since, in words.
  var inWords: String { "\(key.atom) for \(key.subject) was changed since" }
}

extension ProgramName {
  /// The programs that the store knows by this name: one program, possibly as several files.
  ///
  /// - Throws: ``BrokerError/ambiguousProgram(_:_:)`` if the name fits different programs.
  package func one(in store: any PermissionStore) throws -> [Subject] {
    let known = try known(in: store)
    guard known.places.count <= 1 else { throw BrokerError.ambiguousProgram(text, known.places) }
    return known
  }

  /// The one program to make a decision for. It need not have been seen yet.
  ///
  /// The decision is for the file's present version, because a replaced file has to ask again.
  package func decidable(in store: any PermissionStore) throws -> Subject {
    let known = try one(in: store)
    let subject = known.last(where: \.isDecidable) ?? known.first(where: \.isUnbound) ?? unseen
    try ForeignText.checked("program") { try ForeignText.check(name: subject.label) }
    if let now = subject.withFileOfNow { return now }
    guard subject.file == nil, let path = subject.path else { return subject }
    throw BrokerError.noSuchFile(path)
  }

  /// The program as named, for a store that knows none by this name.
  package var unseen: Subject { Subject(label: label ?? path?.lastPathPart ?? text, path: path) }
}

extension ForeignText {
  /// Runs a check, and names the refused parameter in its error.
  static func checked(_ parameter: String, _ check: () throws -> Void) throws(BrokerError) {
    do {
      try check()
    } catch {
      throw .invalid(parameter: parameter, reason: "\(error)")
    }
  }
}
