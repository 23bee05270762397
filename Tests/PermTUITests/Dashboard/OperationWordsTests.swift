import Operations
import PermModel
import Testing

@testable import PermTUI

@Suite("The words for what an operation holds")
struct OperationWordsTests {
  @Test("call the category of the alerts the screen, in the reason for a wait, too", .timeLimit(.minutes(1)))
  func screen() async {
    let exclusion = ExclusionScheduler()
    let slot = ModalSlot(presenter: ScriptedPresenter { _ in .acknowledged }, exclusion: exclusion)
    let alerts = [Samples.notice, Samples.confirmation].map { alert in
      Task { _ = try? await slot.present(alert) }
    }
    while exclusion.snapshot()[ModalSlot.category]?.waiters.isEmpty ?? true { await Task.yield() }
    let rows = OperationRow.rows(of: exclusion.snapshot(), at: Story.start)
    #expect(rows.map(\.category) == [OperationRow.screen, OperationRow.screen])
    #expect(rows.map(\.isHolding) == [true, false])
    #expect(rows.allSatisfy { !$0.why.contains("modal") })
    #expect(rows.last?.why.contains("for the screen, held by") == true, "\(rows)")
    for alert in alerts { alert.cancel() }
    for alert in alerts { await alert.value }
  }
}
