/// A sequence of the changes that any process makes to a store.
///
/// Each element is read from the journal, so a slow consumer does not miss changes or delay other processes.
public struct StoreChanges: AsyncSequence, Sendable {
  public typealias Failure = StoreError

  /// The maximum number of entries in one element.
  static let batch = 500

  private let start: JournalEntry.ID
  private let signals: StoreSignals
  private let read: @Sendable (JournalEntry.ID) throws(StoreError) -> [JournalEntry]

  init(
    since position: JournalEntry.ID, signals: StoreSignals,
    read: @escaping @Sendable (JournalEntry.ID) throws(StoreError) -> [JournalEntry]
  ) {
    start = position
    self.signals = signals
    self.read = read
  }

  public func makeAsyncIterator() -> Iterator {
    let subscription = Result<_, StoreError> { () throws(StoreError) in try signals.subscribe() }
    return Iterator(position: start, signals: subscription.map { $0.makeAsyncIterator() }, read: read)
  }

  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = StoreError

    fileprivate var position: JournalEntry.ID
    fileprivate var signals: Result<AsyncStream<StoreSignal>.Iterator, StoreError>
    fileprivate let read: @Sendable (JournalEntry.ID) throws(StoreError) -> [JournalEntry]
    /// Whether the journal might contain unread entries that no further signal will announce.
    fileprivate var mayHoldMore = true

    public mutating func next() async throws(StoreError) -> StoreChange? {
      try await next(isolation: nil)
    }

    /// Returns the next change; `nil` when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StoreError) -> StoreChange? {
      if mayHoldMore, let change = try entriesSincePosition() { return change }
      var iterator = try signals.get()
      let signal = await iterator.next(isolation: actor)
      signals = .success(iterator)
      switch signal {
      case nil: return nil
      case .failed(let error): throw error
      case .changed: return try entriesSincePosition() ?? StoreChange(entries: [], position: position)
      }
    }

    private mutating func entriesSincePosition() throws(StoreError) -> StoreChange? {
      let entries = try read(position)
      mayHoldMore = entries.count == StoreChanges.batch
      guard let last = entries.last else { return nil }
      position = last.id
      return StoreChange(entries: entries, position: position)
    }
  }
}

/// One change of a store, or several that were made in quick succession.
public struct StoreChange: Hashable, Sendable {
  /// The new journal entries, oldest first. The list is empty if only a count or a time of last use has changed.
  package var entries: [JournalEntry]
  /// The ID of the newest journal entry that the consumer has received, including the entries of this change.
  package var position: JournalEntry.ID

  package init(entries: [JournalEntry], position: JournalEntry.ID) {
    self.entries = entries
    self.position = position
  }
}

extension StoreChange {
  /// The decisions that changed, in order. Empty if the change was about something else, for example a request.
  public var decisions: [ChangedDecision] { entries.compactMap(ChangedDecision.init) }
}

/// A decision that was made, replaced or removed.
public struct ChangedDecision: Hashable, Sendable {
  /// The decision before; `nil` if there was none.
  public let before: Decision?
  /// The decision after; `nil` if there is none any more.
  public let after: Decision?

  init?(_ entry: JournalEntry) {
    guard entry.changesDecision else { return nil }
    (before, after) = (entry.before, entry.after)
  }
}
