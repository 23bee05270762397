import PermModel
import Testing

@testable import PermBroker

@Suite("The pace of denials")
final class DenialPaceTests {
  private var pace = DenialPace()

  private func delay(_ program: ProgramKey, at now: Duration) -> Duration? {
    pace.delay(of: program, at: now)
  }

  @Test("Fifty come at once, then each is waited for, a second at most, and others do not wait")
  func delays() {
    let first = (0..<50).filter { _ in delay(.process(1), at: .zero) == nil }
    #expect(first.count == 50)
    let later = (0..<500).compactMap { _ in delay(.process(1), at: .zero) }
    #expect(later.count == 500)
    #expect(later.first == .milliseconds(100))
    #expect(later.last == .seconds(1))
    #expect(delay(.process(2), at: .zero) == nil)
    #expect(delay(.process(1), at: .seconds(60)) == nil)
  }
}
