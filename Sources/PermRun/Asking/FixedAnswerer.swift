import Machine
import PermBroker
import PermModel

/// The answerer of a run in which nobody is asked: what nobody has decided about is denied at once, and listed at the end.
final class FixedAnswerer: QuestionAnswerer {
  /// The uses that were denied: the first of them, and the number of all.
  private struct Denied {
    var first: [String] = []
    var count = 0
  }

  /// The answerer that a broker knows the run by; `nil` if none does. It ends the run when a person wants that.
  private let broker: BrokerQuestions?
  private let notes: Notes
  private let denied = Lock(Denied())

  init(_ broker: BrokerQuestions? = nil, notes: Notes) { (self.broker, self.notes) = (broker, notes) }

  func ask(
    _ uses: [some AskedUse], by thread: Int32, answered: @escaping @Sendable (RunQuestion.Answer) -> Void
  ) -> Number {
    denied.withLock { denied in
      denied.count += uses.count
      denied.first += uses.prefix(Self.most - denied.first.count).map(\.atom.inWords)
    }
    answered(.init(.denied))
    return 0
  }

  func unask(_: Number) {}

  /// A program inside that asks by itself would lead to a question.
  var doors: [AbsolutePath] { [] }

  func enter(_: DoorVisit) throws -> RelayedConnection { throw BrokerError.disconnected }

  func leave() {}

  /// The largest number of uses that are listed.
  private static let most = 20

  func finish() {
    let denied = denied.withLock { $0 }
    guard denied.count > 0 else { return }
    notes.note("denied, because nobody had allowed it before the start:")
    for use in denied.first { notes.note("  \(use)") }
    if denied.count > denied.first.count { notes.note("  and \(denied.count - denied.first.count) more") }
  }
}
