import PermBroker
import PermModel

/// The place where a person is asked about what nobody has decided yet. Every thread may use it, and none waits there.
protocol QuestionDesk: Sendable {
  /// The number of a question, by which it can be withdrawn.
  typealias Number = Int

  /// Begins to ask a question.
  ///
  /// - Parameters:
  ///   - thread: The number of the thread that stands still meanwhile.
  ///   - answered: Called at most once, on any thread.
  func ask(
    _ use: some AskedUse, by thread: Int32, answered: @escaping @Sendable (RunQuestion.End) -> Void
  ) -> Number

  /// Withdraws a question. It does not matter whether it has been answered.
  func unask(_ number: Number)
}

/// A desk that asks nobody. It says what is open; decisions that are made elsewhere are the only answers.
struct NobodyAsked: QuestionDesk {
  let notes: Notes

  func ask(
    _ use: some AskedUse, by thread: Int32, answered: @escaping @Sendable (RunQuestion.End) -> Void
  ) -> Number {
    notes.note("pid \(thread) asks \(use.atom.inWords)")
    return 0
  }

  func unask(_: Number) {}
}

extension Atom {
  /// The use as it is written on the command line.
  var inWords: String { "\(capability):\(name)@\(scope.text)" }
}
