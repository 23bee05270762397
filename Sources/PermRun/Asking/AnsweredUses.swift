import Machine
import PermBroker

/// The ends of questions that the thread which asked them has not looked at yet.
final class AnsweredUses<Use: Hashable & Sendable>: Sendable {
  private let ends = Lock<[Use: RunQuestion.End]>([:])

  func add(_ end: RunQuestion.End, to use: Use) { ends.withLock { $0[use] = end } }

  func takeAll() -> [Use: RunQuestion.End] {
    ends.withLock { ends in
      defer { ends = [:] }
      return ends
    }
  }
}
