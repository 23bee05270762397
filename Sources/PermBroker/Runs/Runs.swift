import Machine
import PermModel

/// The runs whose wardens are connected: programs behind walls, each with its questions that wait.
final class Runs: Sendable {
  struct Run: Sendable {
    /// The process that supervises the run, and alone may ask for it.
    let warden: ProcessIdentity
    /// The program as it was seen when the run began.
    let seen: IdentifiedProgram
    let subject: Subject
    /// Whether the program uses a folder as it is outside.
    let hasNativeFolder: Bool
    /// Tells the warden how a question ended.
    let tell: @Sendable (Methods.Supervise.Reply) -> Void
    fileprivate var questions: [String: Task<Void, Never>] = [:]
    fileprivate var tokens = TokenBucket()
    /// The processes inside that have connections, by the inode numbers of their sockets.
    fileprivate var guests: [UInt32: RunGuest] = [:]
    /// The same sockets, the first of them first.
    fileprivate var sockets: [UInt32] = []
    /// Whether it has reached a socket of the host.
    fileprivate(set) var hasLeft = false

    init(
      _ warden: ProcessIdentity, _ seen: IdentifiedProgram, as subject: Subject,
      hasNativeFolder: Bool = false,
      tell: @escaping @Sendable (Methods.Supervise.Reply) -> Void
    ) {
      (self.warden, self.seen, self.subject, self.tell) = (warden, seen, subject, tell)
      self.hasNativeFolder = hasNativeFolder
    }

    /// The greatest number of connections that are known. A program has few at a time, so the first of them has ended.
    private static let mostGuests = 1_024

    fileprivate mutating func admit(_ socket: UInt32, _ guest: RunGuest) {
      if guests.updateValue(guest, forKey: socket) == nil { sockets.append(socket) }
      if sockets.count > Self.mostGuests { guests[sockets.removeFirst()] = nil }
    }
  }

  static let most = 256
  /// The greatest number of questions of a run that can wait at the same time. Further ones wait at their warden.
  static let mostQuestions = 64
  /// The rate of questions that nobody answers. Each is written to the store, and a program can ask and withdraw in a loop.
  private static let rate = TokenBucket.Rate(burst: 128, interval: .milliseconds(100))

  private let runs = Lock<[String: Run]>([:])

  func begin(_ id: String, _ run: Run) throws(BrokerError) {
    try runs.withLock { runs throws(BrokerError) in
      guard runs[id] == nil else { throw .invalid(parameter: "run", reason: "a run has this id already") }
      guard runs.count < Self.most else { throw .tooMuch(reason: "there are \(Self.most) runs already") }
      runs[id] = run
    }
  }

  /// Ends a run. Its questions are withdrawn.
  func end(_ id: String) {
    let run = runs.withLock { $0.removeValue(forKey: id) }
    run?.questions.values.forEach { $0.cancel() }
  }

  /// Returns a run of this warden. Other processes learn nothing about it, not even whether it exists.
  func run(_ id: String, of warden: ProcessIdentity?) throws(BrokerError) -> Run {
    guard let run = runs.withLock({ $0[id] }), run.warden == warden else {
      throw .mayNotChange(reason: "this process supervises no such run")
    }
    return run
  }

  /// Begins a question, whose task must call ``ended(_:in:isAnswered:)`` at its end.
  ///
  /// - Parameter now: The time on a clock that also runs while the machine sleeps.
  func ask(
    _ question: String, in id: String, at now: Duration, _ begin: () -> Task<Void, Never>
  ) throws(BrokerError) {
    try runs.withLock { runs throws(BrokerError) in
      guard let run = runs[id] else { throw .disconnected }
      guard run.questions[question] == nil else {
        throw .invalid(parameter: "id", reason: "a question of this id waits already")
      }
      guard run.questions.count < Self.mostQuestions else {
        throw .tooMuch(reason: "\(Self.mostQuestions) questions of this run wait already")
      }
      guard run.tokens.wait(at: now, rate: Self.rate) == nil else {
        throw .tooMuch(reason: "this run asks too often; try again later")
      }
      runs[id]?.tokens.take(at: now, rate: Self.rate)
      runs[id]?.questions[question] = begin()
    }
  }

  /// Notes that a run has reached a socket of the host. It counts as having done so until it ends.
  func leave(_ id: String) { runs.withLock { $0[id]?.hasLeft = true } }

  /// Notes for which process of a run its warden has connected.
  func enter(_ socket: UInt32, _ guest: RunGuest, in id: String) {
    runs.withLock { $0[id]?.admit(socket, guest) }
  }

  /// Returns what is known about a peer whose connection a warden may have made.
  func place(of peer: Peer) -> RunPlace {
    runs.withLock { runs in
      guard let run = runs.values.first(where: { $0.warden.pid == peer.pid }) else { return .outside }
      guard let guest = peer.socket.flatMap({ run.guests[$0] }) else { return .unknown }
      return .inside(run, guest)
    }
  }

  /// Tells all wardens to end their runs, and returns the number of runs.
  func endAll() -> Int {
    let all = runs.withLock { Array($0.values) }
    for run in all { run.tell(.init(end: true)) }
    return all.count
  }

  /// Ends a question. A person's answer gives back what it has cost.
  func ended(_ question: String, in id: String, isAnswered: Bool) {
    runs.withLock { runs in
      guard runs[id]?.questions.removeValue(forKey: question) != nil, isAnswered else { return }
      runs[id]?.tokens.giveBack(rate: Self.rate)
    }
  }

  func unask(_ question: String, in id: String) {
    runs.withLock { $0[id]?.questions[question] }?.cancel()
  }
}
