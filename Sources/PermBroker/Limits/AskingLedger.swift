import Machine
import PermModel

/// The requests for which the broker's clients are waiting, each from its arrival to its end: it enters, is counted if
/// it needs an alert, is announced as waiting, may be asked on its program's own terminal, and leaves.
final class AskingLedger: Sendable {
  struct Entry: Sendable {
    var request: Request
    var peer: Peer
    /// The program as it was seen when it asked.
    var seen: SeenProgram
    var payer: Payer
    /// Notifies the client that the request is waiting.
    var announce: @Sendable () async -> Void
    /// Withdraws the request; `nil` until it has been passed on.
    var withdraw: (@Sendable () -> Void)?
    /// Whether its program is asking about it on its own terminal.
    var isAskedHere = false
    /// The number of times the program has begun to do so.
    var timesAskedHere = 0
  }

  private struct State {
    var entries: [Request.ID: Entry] = [:]
    /// The requests that were waiting when the broker started, until their clients ask again.
    var inherited: [Request.ID: Request] = [:]
    var limits: RequestLimits
    var pace = DenialPace()
    /// The number of each program's open `Status` streams.
    var streams: [Asker: Int] = [:]
    var mutes: [DoubtfulProgram: Subject] = [:]
  }

  private let state: Lock<State>
  /// The present moment, on a clock that also runs while the machine sleeps.
  private let now: @Sendable () -> Duration

  init(limits: RequestLimits.Settings = .init(), now: @escaping @Sendable () -> Duration) {
    state = Lock(State(limits: RequestLimits(settings: limits)))
    self.now = now
  }

  subscript(id: Request.ID) -> Entry? { state.withLock { $0.entries[id] } }

  var all: [Entry] { state.withLock { Array($0.entries.values) } }

  // MARK: From arrival to end

  /// Notes the requests that are waiting when the broker begins to serve.
  func inherit(_ waiting: [Request]) {
    state.withLock { $0.inherited = Dictionary(waiting.map { ($0.id, $0) }) { first, _ in first } }
  }

  /// Returns the time when an inherited request was first asked; `nil` if it is not inherited.
  func askedAt(_ id: Request.ID) -> Timestamp? { state.withLock { $0.inherited[id]?.askedAt } }

  /// Enters a request; returns `false` if one with the same id is already waiting.
  func enter(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard state.entries[entry.request.id] == nil else { return false }
      state.entries[entry.request.id] = entry
      return true
    }
  }

  /// Notes how to withdraw a request.
  func begin(_ id: Request.ID, withdraw: @escaping @Sendable () -> Void) {
    state.withLock { $0.entries[id]?.withdraw = withdraw }
  }

  /// Counts a request that needs its own alert; requests that share one count once. An inherited request was already
  /// counted by the previous broker.
  ///
  /// - Returns: The place of its alert, which keeps it counted until released.
  /// - Throws: The reason why it may not ask.
  func count(_ request: Request) throws(RequestLimits.Refusal) -> AlertPlace {
    let moment = now()
    let admission = try state.withLock { state throws(RequestLimits.Refusal) in
      let payer =
        state.entries[request.id]?.payer ?? Payer(Asker(counting: request.subject), in: .unknown)
      let inherited = state.inherited.removeValue(forKey: request.id)
      let isInherited = inherited?.asksTheSame(as: request) == true
      return isInherited ? state.limits.readmit(payer) : try state.limits.admit(payer, at: moment)
    }
    return AlertPlace { [self] isAnswered in
      state.withLock { $0.limits.end(admission, isAnswered: isAnswered) }
    }
  }

  /// Removes a request that has ended.
  func leave(_ id: Request.ID) { _ = state.withLock { $0.entries.removeValue(forKey: id) } }

  /// Checks the processes behind some requests again, and withdraws the requests of those that have changed.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func withdrawChanged(_ ids: [Request.ID], _ witness: PeerWitness) -> Bool {
    let changed = ids.compactMap { self[$0] }.filter { entry in
      witness.program(behind: entry.peer, withChain: false)?.isSame(as: entry.seen) != true
    }
    for entry in changed { entry.withdraw?() }
    return !changed.isEmpty
  }
}

// MARK: Asking on the program's own terminal

extension AskingLedger {
  /// The number of times a program may begin to ask about one request on its own terminal: each adds a line to the
  /// journal.
  private static let mostTimesAskedHere = 50

  /// Notes that a program is asking about its request on its own terminal; returns `false` if it already is, or may not
  /// again.
  func beginAskingHere(_ id: Request.ID) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[id], !entry.isAskedHere, entry.timesAskedHere < Self.mostTimesAskedHere
      else { return false }
      state.entries[id]?.isAskedHere = true
      state.entries[id]?.timesAskedHere += 1
      return true
    }
  }

  /// Notes that a program no longer asks on its own terminal; returns `false` if it did not.
  func endAskingHere(_ id: Request.ID) -> Bool {
    state.withLock { state in
      defer { state.entries[id]?.isAskedHere = false }
      return state.entries[id]?.isAskedHere == true
    }
  }
}

// MARK: Costs that no person has to do with

extension AskingLedger {
  /// The maximum number of open `Status` streams of one program.
  static let mostStreams = 32

  /// Counts a denial of a program that is denied repeatedly, and returns the delay of the reply; `nil` for none.
  func delay(of program: Asker) -> Duration? {
    let moment = now()
    return state.withLock { $0.pace.delay(of: program, at: moment) }
  }

  /// Counts a call that continues until its client disconnects.
  ///
  /// - Throws: ``BrokerError/tooMuch(reason:)`` if the program has too many.
  func beginStream(of program: Asker) throws(BrokerError) {
    try state.withLock { state throws(BrokerError) in
      guard state.streams[program, default: 0] < Self.mostStreams else {
        throw .tooMuch(
          reason:
            "\(Self.mostStreams) calls of Status wait for changes for this program already; end one first")
      }
      state.streams[program, default: 0] += 1
    }
  }

  func endStream(of program: Asker) { state.withLock { $0.streams.decrease(program) } }
}

// MARK: Programs in doubt that are muted

extension AskingLedger {
  /// Returns the mute of a program in doubt, whatever label it uses now; `nil` if there is none. Each mute is also a
  /// decision in the store, under the label that was muted, and ends with that decision.
  func mute(of entry: Entry, in store: any PermissionStore) throws(StoreError) -> Decision? {
    guard let program = DoubtfulProgram(entry), let muted = state.withLock({ $0.mutes[program] }) else {
      return nil
    }
    let mute = try store.standing(of: muted, capability: entry.request.capability).mute
    if mute == nil { state.withLock { $0.mutes[program] = nil } }
    return mute
  }

  /// Notes after a denial whether the person also muted a program in doubt.
  func noteMute(of entry: Entry, in store: any PermissionStore) throws(StoreError) {
    guard let program = DoubtfulProgram(entry),
      try store.standing(of: entry.request.subject, capability: entry.request.capability).mute != nil
    else { return }
    state.withLock { $0.mutes[program] = entry.request.subject }
  }
}

/// The traits that distinguish programs in doubt: their process's user, family and chain of parents.
private struct DoubtfulProgram: Hashable {
  var user: UInt32
  var family: Family
  var chain: [String]

  /// Returns `nil` for a program with a file.
  init?(_ entry: AskingLedger.Entry) {
    guard entry.seen.file == nil else { return nil }
    user = entry.peer.user
    family = entry.payer.family
    chain = entry.seen.evidence.chain
  }
}

/// The delays of denials that do not involve a person, such as those of a muted program: a pure value.
///
/// The first denials are sent at once. A program that keeps asking waits longer each time, up to a second, so that it
/// cannot keep the broker busy.
struct DenialPace: Sendable {
  private static let rate = TokenBucket.Rate(burst: 50, interval: .milliseconds(100))
  private static let longest = Duration.seconds(1)

  private var buckets: [Asker: TokenBucket] = [:]
  private var nextSweep = 64

  /// Counts a denial, and returns its delay; `nil` for none.
  mutating func delay(of program: Asker, at now: Duration) -> Duration? {
    if buckets.count >= nextSweep {
      buckets = buckets.filter { !$1.isFull(at: now) }
      nextSweep = max(64, buckets.count * 2)
    }
    var bucket = buckets[program] ?? TokenBucket()
    let wait = bucket.wait(at: now, rate: Self.rate).map { min($0, Self.longest) }
    // A debt beyond the longest wait would only punish later calls.
    if wait != Self.longest { bucket.take(at: now, rate: Self.rate) }
    buckets[program] = bucket
    return wait
  }
}
