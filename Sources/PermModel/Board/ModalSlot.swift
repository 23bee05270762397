import Machine
public import Operations

/// The place where requests, confirmations and notices are shown, one at a time.
///
/// The alerts wait on a board. The one that is first takes the exclusion category ``category``, and holds it while it is
/// shown. Everything else in the process that needs this category waits in the same line. Programs take turns: each
/// program's next request comes up behind the requests of other programs.
public final class ModalSlot: Sendable {
  /// The category that is held while an alert is shown.
  public static let category = ExclusionCategory("modal")

  package let keeper: BoardKeeper
  private let refusal: QuestionRefusal?

  /// - Parameters:
  ///   - presenter: The presenter that shows the alerts.
  ///   - exclusion: The scheduler that grants the category; by default, the scheduler that the whole process
  ///     shares.
  public convenience init(presenter: any AlertPresenter, exclusion: ExclusionScheduler = .shared) {
    self.init(presenter: presenter, exclusion: exclusion, refusing: nil)
  }

  /// - Parameter refusal: The condition under which questions are refused instead of shown.
  package convenience init(
    presenter: any AlertPresenter, exclusion: ExclusionScheduler = .shared, refusing refusal: QuestionRefusal?
  ) {
    let keeper = BoardKeeper(Board(endsIfDeclined: true), exclusion: exclusion)
    keeper.attach(presenter, dashboard: nil)
    self.init(keeper, refusing: refusal)
  }

  package init(_ keeper: BoardKeeper, refusing refusal: QuestionRefusal? = nil) {
    self.keeper = keeper
    self.refusal = refusal
  }

  package var picture: BoardPicture { keeper.picture }

  /// The current picture, followed by a new one after every change. Slow consumers receive only the latest one.
  package var pictures: some AsyncSequence<BoardPicture, Never> & Sendable { keeper.pictures }

  /// Shows an alert as soon as the slot is free, and waits for the alert's outcome. An alert that is set aside frees
  /// the slot. When the person reopens the alert, the alert waits for the slot again.
  ///
  /// - Parameters:
  ///   - lease: Proof that the alert is being shown on behalf of an operation. That operation might itself hold the
  ///     category.
  ///   - isNeeded: Returns whether there is still a reason for the alert when its turn has come.
  ///   - take: Receives the response. The next alert is shown only once this closure has returned.
  /// - Returns: What `take` returned.
  /// - Throws: `CancellationError` if the task is cancelled, which also removes the alert; `OperationSkipped` if there is no
  ///   need for the alert any more; an ``AlertPresenterError``
  ///   if the alert cannot be shown; the exclusion scheduler's error if the lease cannot be used.
  package func present<Outcome: Sendable>(
    _ alert: Alert, lease: ExclusionLease? = nil,
    isNeeded: @escaping @Sendable () async -> Bool = { true },
    take: @escaping @Sendable (AlertResponse) -> Outcome = { $0 }
  ) async throws -> Outcome {
    let refusal = alert.isQuestion ? refusal : nil
    if refusal?.isDemanded() == true { return take(.refused) }
    let shown = PresentedAlert(alert, refusal, isNeeded, take)
    let id = keeper.present(alert, lease: lease, from: shown)
    let watch = refusal.map { refusal in
      Task.quiet { [keeper] in
        guard await refusal.untilDemanded() else { return }
        shown.end(.refused)
        keeper.withdraw(id)
      }
    }
    defer { watch?.cancel() }
    return try await withTaskCancellationHandler {
      try await shown.outcome.value.get()
    } onCancel: {
      shown.outcome.set(.failure(CancellationError()))
      keeper.withdraw(id)
    }
  }
}

/// A confirmation or a notice on its way to a person. Its content does not change.
private final class PresentedAlert<Outcome: Sendable>: AlertSource {
  let outcome = OneShot<Result<Outcome, any Error>>()
  private let alert: Alert
  private let refusal: QuestionRefusal?
  private let isNeeded: @Sendable () async -> Bool
  private let take: @Sendable (AlertResponse) -> Outcome
  private let hasEnded = Lock(false)

  init(
    _ alert: Alert, _ refusal: QuestionRefusal?, _ isNeeded: @escaping @Sendable () async -> Bool,
    _ take: @escaping @Sendable (AlertResponse) -> Outcome
  ) {
    self.alert = alert
    self.refusal = refusal
    self.isNeeded = isNeeded
    self.take = take
  }

  /// Ends the wait with a response, unless it has ended with another one.
  func end(_ response: AlertResponse) {
    let hadEnded = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return hasEnded
    }
    if !hadEnded { outcome.set(.success(take(response))) }
  }

  func make(_ id: Alert.ID, for requests: ItemRequests) async -> AlertMaking {
    guard await isNeeded() else {
      outcome.set(.failure(OperationSkipped(reason: "there is no need for the alert any more")))
      return .ended([:])
    }
    // A panic withdraws questions one by one, and the next one in line must not come up in between.
    guard refusal?.isDemanded() == true else { return .made(alert) }
    end(.refused)
    return .ended([:])
  }

  func judge(_ requests: ItemRequests) -> [Request.ID: Board.Outcome] { [:] }

  func settle(_ alert: Alert, _ closing: Board.Closing, _ requests: ItemRequests) -> AlertSettling {
    switch closing {
    case .response(let response, _): end(response)
    case .failure(let error): outcome.set(.failure(error))
    }
    return .ended([:])
  }

  func note(_ step: Board.Step, of requests: [Request.ID]) {}
}

extension Alert {
  /// Whether a person is asked something that a panic refuses.
  fileprivate var isQuestion: Bool {
    if case .confirmation = content { true } else { false }
  }
}
