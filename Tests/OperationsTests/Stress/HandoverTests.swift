import Foundation
import KernelStress
import Testing

@Suite("Handing over", .serialized)
struct HandoverTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["PERMTUI_STRESS_ROUNDS"].flatMap(Int.init) ?? 6_000

  @Test(
    "An operation stopped before it began never runs, and one that runs shares its categories with no other")
  func handover() async {
    let report = await Handover(rounds: Self.rounds).run()
    #expect(report.faults.isEmpty, "\(report)")
    // Otherwise the sweep has missed the moment on one side.
    #expect(report.stoppedWaiting > 0 && report.stoppedRunning > 0, "\(report)")
  }
}
