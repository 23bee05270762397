import CFuse
import Machine
import PermBroker

// Asking a person, and what follows from the answer.
extension Shadow {
  /// The questions that a person is asked, and the answers that are not decisions.
  struct Asked {
    var numbers: [FileUse: QuestionAnswerer.Number] = [:]
    let answers = AnsweredUses<FileUse>()
    /// The uses that were denied since the start. They stay denied until the end, or a program that tries again would ask
    /// again and again.
    var denied: Set<FileUse> = []
    /// The uses that were allowed this time, each until a moment: a program that saves a file uses it several times.
    var granted: [FileUse: Int64] = [:]
    /// The uses whose questions have just ended without an answer.
    var unanswered: Set<FileUse> = []
  }

  /// The time in milliseconds for which "this request" holds behind walls.
  private static let once: Int64 = 10_000

  func ask(_ use: FileUse, for request: Request, _ proceed: @escaping () -> Void) {
    if questions.add(WaitingOperation(request: request, proceed: proceed), to: use), !isAskedAtStart(use) {
      let (answers, wake) = (asked.answers, wake)
      asked.numbers[use] = answerer.ask(use, by: request.process) { end in
        answers.add(end, to: use)
        wake()
      }
    }
    onInterrupt(of: request)
  }

  /// Continues with the operations whose questions are answered by now, and takes back what is no longer allowed.
  func rulingsChanged() {
    takeStart()
    for (use, end) in asked.answers.takeAll() { take(end, of: use) }
    for operation in questions.takeAnswered({ (try? ruling(on: $0)) ?? .denied }) {
      operation.proceed()
    }
    asked.unanswered = []
    withdrawQuestions()
    takeBack()
  }

  private func take(_ end: RunQuestion.End, of use: FileUse) {
    // A question that was asked again meanwhile has a number of its own.
    guard asked.numbers.removeValue(forKey: use) != nil else { return }
    switch end {
    case .allowed: asked.granted[use] = SystemClock.monotonic.milliseconds + Self.once
    case .denied: asked.denied.insert(use)
    case .unanswered: asked.unanswered.insert(use)
    }
  }

  /// Withdraws the questions for whose answers no operation waits any more.
  func withdrawQuestions() {
    for (use, number) in asked.numbers where !questions.contain(use) {
      asked.numbers[use] = nil
      answerer.unask(number)
    }
  }

  /// The ruling about a use that nobody has decided about, with what the person has said in this run.
  func rulingOfRun(on use: FileUse) -> Ruling {
    if asked.denied.contains(use) || asked.unanswered.contains(use) { return .denied }
    let start = rulingOfStart(on: use)
    if start != .open { return start }
    return isGranted(use) || use.part == .read && isGranted(.write(use.path)) ? .allowed : .open
  }

  private func isGranted(_ use: FileUse) -> Bool {
    guard let end = asked.granted[use] else { return false }
    if SystemClock.monotonic.milliseconds < end { return true }
    asked.granted[use] = nil
    return false
  }
}
