import Operations
import PermModel
import Testing
import Waiting

@testable import PermTUI

@Suite("The words for what an operation holds")
struct OperationWordsTests {
  @Test("call the category of the alerts the screen, in the reason for a wait, too", .timeLimit(.minutes(5)))
  func screen() async throws {
    let exclusion = ExclusionScheduler()
    let slot = ModalSlot(presenter: ScriptedPresenter { _ in .acknowledged }, exclusion: exclusion)
    let alert = Task { _ = try? await slot.present(Samples.notice) }
    try await until { slot.picture.up != nil }
    let other = OperationQueue(name: "test", exclusion: exclusion)
      .add("other", conditions: [MutuallyExclusive(ModalSlot.category)]) { _ in }
    try await until { !(exclusion.snapshot()[ModalSlot.category]?.waiters.isEmpty ?? true) }
    let rows = OperationRow.rows(of: exclusion.snapshot(), at: Story.start)
    #expect(rows.map(\.category) == [OperationRow.screen, OperationRow.screen])
    #expect(rows.map(\.isHolding) == [true, false])
    #expect(rows.allSatisfy { !$0.why.contains("modal") })
    #expect(rows.last?.why.contains("for the screen, held by") == true, "\(rows)")
    alert.cancel()
    await alert.value
    _ = await other.outcome
  }
}
