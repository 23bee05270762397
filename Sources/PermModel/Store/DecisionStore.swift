/// A store that a program has opened. The program can read its decisions, follow them, take them back and undo.
public protocol DecisionStore: Sendable {
  /// The way into the store for this library.
  var access: StoreAccess { get }
}

/// The way into a store, which only this library can use.
public struct StoreAccess: Sendable {
  let store: any PermissionStore

  init(_ store: any PermissionStore) { self.store = store }
}

extension SQLiteStore: DecisionStore {
  public var access: StoreAccess { StoreAccess(self) }
}

extension MemoryStore: DecisionStore {
  public var access: StoreAccess { StoreAccess(self) }
}

// MARK: - Reading

extension DecisionStore {
  /// Returns the decisions in force, sorted by program, capability and part.
  ///
  /// - Parameters:
  ///   - subject: The program that the decisions are about; `nil` for all programs.
  ///   - capability: The name of the capability that they are about; `nil` for all capabilities.
  public func decisions(
    of subject: Subject?, about capability: String? = nil
  ) throws(StoreError) -> [Decision] {
    try access.store.decisions(DecisionFilter(subject: subject, capability: capability))
  }

  /// The requests that wait for an answer, the oldest first.
  public var requests: [Request] {
    get throws(StoreError) { try access.store.waitingRequests().map(\.request) }
  }

  /// All changes from now on, by any process. The sequence ends when its task is cancelled.
  public var changes: StoreChanges {
    get throws(StoreError) { try access.store.changes() }
  }
}

// MARK: - Changing

extension DecisionStore {
  /// Takes a decision back, so that its part is undecided again.
  ///
  /// - Returns: Whether the decision was still in force.
  @discardableResult
  public func revoke(_ decision: Decision) throws(StoreError) -> Bool {
    let filter = DecisionFilter(subject: decision.subject, atoms: [decision.atom])
    return try !access.store.forget(filter, by: .library).isEmpty
  }

  /// Takes all decisions about a program back, and returns them.
  @discardableResult
  public func revokeAll(of subject: Subject) throws(StoreError) -> [Decision] {
    try access.store.forget(DecisionFilter(subject: subject), by: .library)
  }

  /// Undoes the newest change of decisions that can be undone, and returns what the change had done.
  ///
  /// - Throws: ``StoreError/nothingToUndo``, or ``StoreError/undoRefused(_:conflicts:)`` if a decision has been changed
  ///   since.
  @discardableResult
  public func undo() throws(StoreError) -> [ChangedDecision] {
    try access.store.take(.undo, by: .library).change.entries.compactMap(ChangedDecision.init)
  }

  /// Redoes the change that was undone last, and returns what the change did.
  @discardableResult
  public func redo() throws(StoreError) -> [ChangedDecision] {
    try access.store.take(.redo, by: .library).change.entries.compactMap(ChangedDecision.init)
  }
}
