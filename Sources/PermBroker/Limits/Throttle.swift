import Machine

/// What bounds the cost of calls that no person has to do with: how many of a program may wait, and how fast it is
/// denied.
final class Throttle: Sendable {
  /// The calls of `Status` that may go on for one program.
  static let mostStreams = 32

  private struct State {
    var pace = DenialPace()
    var streams: [RequestLimits.Asker: Int] = [:]
  }

  private let state = Lock(State())
  private let now: @Sendable () -> Duration
  private let sleep: AnswerLedger.Sleep

  init(now: @escaping @Sendable () -> Duration, sleep: @escaping AnswerLedger.Sleep) {
    self.now = now
    self.sleep = sleep
  }

  /// Holds back a denial from a program that is denied over and over.
  func holdBack(_ program: RequestLimits.Asker) async {
    let moment = now()
    guard let delay = state.withLock({ $0.pace.delay(of: program, at: moment) }) else { return }
    try? await sleep(delay)
  }

  /// Counts a call in that goes on until its client leaves.
  ///
  /// - Throws: ``BrokerError/tooMuch(reason:)`` if the program has too many.
  func beginStream(of program: RequestLimits.Asker) throws(BrokerError) {
    try state.withLock { state throws(BrokerError) in
      guard state.streams[program, default: 0] < Self.mostStreams else {
        throw .tooMuch(
          reason:
            "\(Self.mostStreams) calls of Status wait for changes for this program already; end one first")
      }
      state.streams[program, default: 0] += 1
    }
  }

  func endStream(of program: RequestLimits.Asker) {
    state.withLock { state in
      let left = state.streams[program, default: 1] - 1
      state.streams[program] = left > 0 ? left : nil
    }
  }
}
