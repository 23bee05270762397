import Machine

/// A component that looks up decisions and answers requests, in this process or in another one.
///
/// An ``Authorizer`` uses an answerer only through this protocol. ``LocalAnswerer`` works with a store and the modal
/// slot of this process.
package protocol PermissionAnswerer: Sendable {
  /// Returns the judgement on some atoms by the decisions in force. A answerer that works through a broker knows only the
  /// resulting states of the atoms.
  ///
  /// - Parameter values: Whether the answerer must look up the meaning of the values first.
  func judgement(on atoms: Set<Atom>, _ values: Resolution, by judge: Judge) async throws -> Judgement

  /// Returns a stream that reports when the judgement on some atoms might have changed, either because somebody changed
  /// decisions or because one of them expired. The first element arrives immediately. Data that is read after an element
  /// has arrived includes the reported change. The stream ends when changes can no longer be noticed.
  ///
  /// - Parameter values: As in ``judgement(on:_:by:)``.
  func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void>

  /// If an earlier request with the same id and content has ended, returns how it ended. Returns `nil` if
  /// that request is still waiting, or if the id is new.
  ///
  /// - Throws: An error if the id was already used to ask for something else.
  func end(of request: Request) async throws -> RequestEnd?

  /// Asks a person, waits until the request ends, and returns how it ended.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled, which also withdraws the request.
  func answer(to asking: Asking) async throws -> RequestEnd

  /// Records an answer that was given without asking a person.
  func record(_ answer: AutomaticAnswer) async throws

  /// The number of the newest entry of the journal; `nil` if the answerer does not see the journal.
  func journalPosition() async throws -> JournalEntry.ID?

  /// Returns whether anything that allows a program to use a capability was taken back after a journal entry, even if it was
  /// given again since. A panic takes everything back.
  func hasTakenBack(
    from subject: Subject, _ capability: String, since position: JournalEntry.ID
  ) async throws -> Bool

  /// The current time, on the clock by which decisions expire.
  var now: Timestamp { get }

  /// Returns a random id for a request.
  func makeID() -> String
}

extension PermissionAnswerer {
  /// Returns `nil`. This implementation is for answerers that leave it to another answerer to look up earlier requests.
  package func end(of request: Request) async throws -> RequestEnd? { nil }

  /// Returns `nil`. This implementation is for answerers that do not see the journal.
  package func journalPosition() async throws -> JournalEntry.ID? { nil }

  package func hasTakenBack(
    from subject: Subject, _ capability: String, since position: JournalEntry.ID
  ) async throws -> Bool { false }
}
