import CFuse
import PermBroker
import PermModel

// The files that the program reads at its start, about which a person is asked at once.
extension Shadow {
  /// The group of uses that was asked about at the start.
  struct StartGroup {
    /// The uses that wait for an answer.
    var waiting: [FileUse] = []
    /// The answered ones. Answers hold until the end of the run, because the group is asked only once.
    var ends: [FileUse: RunQuestion.End] = [:]
    let answers = AnsweredUses<FileUse>()

    fileprivate func waits(for use: FileUse) -> Bool { waiting.contains { $0.covers(use) } }
  }

  /// Asks about uses that nobody has decided about. A single file is asked about when it is used.
  func askAtStart(_ uses: [FileUse], of process: Int32) {
    let open = uses.filter { (try? ruling(on: $0)) == .open }
    guard open.count > 1 || open.first?.isWhole == true else { return }
    start.waiting = open
    _ = answerer.ask(open, by: process) { [answers = start.answers, wake] answer in
      for use in open { answers.add(answer.end(of: use.atom, isAlone: false), to: use) }
      wake()
    }
  }

  /// Whether a person is asked already about a use, together with others.
  func isAskedAtStart(_ use: FileUse) -> Bool { start.waits(for: use) }

  /// Returns the ruling that follows from the answer to the group.
  func rulingOfStart(on use: FileUse) -> Ruling {
    let ends = Set(start.ends.filter { $0.key.covers(use) }.values)
    return ends.contains(.denied) ? .denied : ends.contains(.allowed) ? .allowed : .open
  }

  /// Takes the answer, and goes on with the operations that have waited for it. What was not answered is asked about by
  /// itself.
  func takeStart() {
    let ends = start.answers.takeAll()
    guard !ends.isEmpty else { return }
    let asked = start
    start.waiting = []
    start.ends = ends
    for operation in questions.takeAnswered({ asked.waits(for: $0) ? .allowed : .open }) {
      operation.proceed()
    }
  }
}

extension FileUse {
  /// Whether an answer about this use also answers another one.
  fileprivate func covers(_ other: FileUse) -> Bool {
    part == other.part && !other.isSocket && atom.scope.covers(other.atom.scope)
  }
}
