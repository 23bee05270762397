import Machine
import PermBroker
import PermModel

/// The place where a person is asked about what nobody has decided yet. Every thread may use it, and none waits there.
protocol QuestionAnswerer: Sendable {
  /// The number of a question, by which it can be withdrawn.
  typealias Number = Int

  /// Begins to ask a question about uses of one capability.
  ///
  /// - Parameters:
  ///   - thread: The number of the thread that stands still meanwhile.
  ///   - answered: Called at most once, on any thread.
  func ask(
    _ uses: [some AskedUse], by thread: Int32, answered: @escaping @Sendable (RunQuestion.Answer) -> Void
  ) -> Number

  /// Withdraws a question. It does not matter whether it has been answered.
  func unask(_ number: Number)

  /// The paths at which programs inside find the socket over which they can ask by themselves, the usual one first.
  var doors: [AbsolutePath] { get }

  /// Connects to that socket for a thread inside.
  func enter(_ visit: DoorVisit) throws -> RelayedConnection

  /// Notes that a program inside reaches a socket of the host, through which it can leave the walls.
  func leave()

  /// Says what is left to say once the run has ended.
  func finish()
}

/// A connection that a program inside makes to the socket over which it can ask.
struct DoorVisit: Sendable {
  var thread: Int32
  var folder: AbsolutePath
}

extension QuestionAnswerer {
  /// Begins to ask a question about one use.
  func ask(
    _ use: some AskedUse, by thread: Int32, answered: @escaping @Sendable (RunQuestion.End) -> Void
  ) -> Number {
    ask([use], by: thread) { [atom = use.atom] in answered($0.end(of: atom, isAlone: true)) }
  }

  func finish() {}
}

/// A answerer that asks nobody. It says what is open; decisions that are made elsewhere are the only answers.
struct NobodyAsked: QuestionAnswerer {
  let notes: Notes

  func ask(
    _ uses: [some AskedUse], by thread: Int32, answered: @escaping @Sendable (RunQuestion.Answer) -> Void
  ) -> Number {
    for use in uses { notes.note("pid \(thread) asks \(use.atom.inWords)") }
    return 0
  }

  func unask(_: Number) {}

  var doors: [AbsolutePath] { [] }

  func enter(_: DoorVisit) throws -> RelayedConnection { throw BrokerError.disconnected }

  func leave() {}
}

extension RunQuestion {
  /// The uses as they are written on the command line.
  var inWords: String { atoms.map(\.inWords).joined(separator: ", ") }
}

extension Atom {
  /// The use as it is written on the command line.
  var inWords: String { "\(capability):\(name)@\(scope.text)" }
}
