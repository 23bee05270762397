import Machine
import Operations
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Alerts that are not needed any more", .timeLimit(.minutes(5)))
struct NeededAlertTests {
  /// A condition that holds for all operations once a person has read the terms.
  private final class TermsRead: OperationCondition {
    struct Unread: Error {}

    private let slot: ModalSlot
    private let isRead = Lock(false)

    init(in slot: ModalSlot) { self.slot = slot }

    func noteRead() { isRead.withLock { $0 = true } }

    func makeRemedy() -> (any Operation)? { AlertOperation(title: "The terms", in: slot) }

    func evaluate(_ context: ConditionContext) -> ConditionResult {
      isRead.withLock(\.self) ? .satisfied : .failed(Unread(), curable: true)
    }
  }

  @Test("Ten operations whose condition an alert makes true show one alert")
  func once() async throws {
    let answerer = try TestAnswerer()
    let condition = TermsRead(in: answerer.slot)
    let handles = (0..<10).map { _ in answerer.queue.add("work", conditions: [condition]) { _ in } }
    _ = await answerer.presenter.next()
    _ = await answerer.waitForSlot { $0.count == 10 }
    condition.noteRead()
    answerer.presenter.answer(.acknowledged)
    for handle in handles { try await handle.value }
    #expect(answerer.presenter.shown.count == 1)
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
  }

  @Test("Each operation is confirmed by itself, because a confirmation is for one operation only")
  func confirmations() async throws {
    let answerer = try TestAnswerer()
    let condition = UserConfirmationCondition("Delete 12 albums?", in: answerer.slot)
    let handles = (0..<3).map { _ in answerer.queue.add("delete", conditions: [condition]) { _ in } }
    for _ in handles {
      _ = await answerer.presenter.next()
      answerer.presenter.answer(.confirmed)
    }
    for handle in handles { try await handle.value }
    #expect(answerer.presenter.shown.count == 3)
  }
}
