import Machine
import PermModel

/// The requests that the broker's clients wait for, each from its arrival to its end: it enters, is counted among those
/// that need an alert, is announced as waiting, may be asked on its program's own terminal, and leaves.
final class AskingLedger: Sendable {
  /// One client's request.
  struct Entry: Sendable {
    var request: Request
    var peer: Peer
    /// The program as it was seen when it asked.
    var seen: SeenProgram
    /// The program and family that its costs are counted for.
    var payer: Payer
    /// Tells the client that it waits.
    var announce: @Sendable () async -> Void
    /// Withdraws the request; `nil` until it is on its way.
    var withdraw: (@Sendable () -> Void)?
    /// Whether its program asks about it on its own terminal.
    var isAskedHere = false
    /// How often the program began to do so.
    var timesAskedHere = 0
  }

  private struct State {
    var entries: [Request.ID: Entry] = [:]
    /// The requests that waited when the broker began, until their clients ask again.
    var inherited: [Request.ID: Request] = [:]
    var limits: RequestLimits
    var pace = DenialPace()
    /// The calls of `Status` that go on.
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

  /// Notes the requests that wait as the broker begins to serve.
  func inherit(_ waiting: [Request]) {
    state.withLock { $0.inherited = Dictionary(waiting.map { ($0.id, $0) }) { first, _ in first } }
  }

  /// The moment at which an inherited request was first asked; `nil` if it is not inherited.
  func askedAt(_ id: Request.ID) -> Timestamp? { state.withLock { $0.inherited[id]?.askedAt } }

  /// Enters a request; `false` if one of the same id waits already.
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

  /// Counts a request that needs an alert of its own; those that share one count once. An inherited request was counted
  /// by the broker before.
  ///
  /// - Returns: The place of its alert, which counts it until it is released.
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

  /// Tells the client of a request that it waits for a person.
  func announce(_ id: Request.ID) async { await self[id]?.announce() }

  /// Removes a request that has ended.
  func leave(_ id: Request.ID) { _ = state.withLock { $0.entries.removeValue(forKey: id) } }

  /// Looks again at the processes behind some requests, and withdraws the requests of those that have changed.
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
  /// How often a program may begin to ask about one request on its own terminal: each time costs a line of the journal.
  private static let mostTimesAskedHere = 50

  /// Notes that a program asks about its request on its own terminal; `false` if it does already, or may not again.
  func beginAskingHere(_ id: Request.ID) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[id], !entry.isAskedHere, entry.timesAskedHere < Self.mostTimesAskedHere
      else { return false }
      state.entries[id]?.isAskedHere = true
      state.entries[id]?.timesAskedHere += 1
      return true
    }
  }

  /// Notes that a program no longer asks on its own terminal; `false` if it did not.
  func endAskingHere(_ id: Request.ID) -> Bool {
    state.withLock { state in
      defer { state.entries[id]?.isAskedHere = false }
      return state.entries[id]?.isAskedHere == true
    }
  }
}

// MARK: Costs that no person has to do with

extension AskingLedger {
  /// The calls of `Status` that may go on for one program.
  static let mostStreams = 32

  /// Counts a denial of a program that is denied over and over, and returns how long it must wait for it; `nil` for not
  /// at all.
  func delay(of program: Asker) -> Duration? {
    let moment = now()
    return state.withLock { $0.pace.delay(of: program, at: moment) }
  }

  /// Counts a call that goes on until its client leaves.
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
  /// The mute that holds for a program in doubt, whatever label it uses now; `nil` if there is none. Each mute is a
  /// decision of the store as well, under the label that was muted, and ends with it.
  func mute(of entry: Entry, in store: any PermissionStore) throws(StoreError) -> Decision? {
    guard let program = DoubtfulProgram(entry), let muted = state.withLock({ $0.mutes[program] }) else {
      return nil
    }
    let mute = try store.standing(of: muted, capability: entry.request.capability).mute
    if mute == nil { state.withLock { $0.mutes[program] = nil } }
    return mute
  }

  /// Notes after a denial whether the person muted a program in doubt with it.
  func noteMute(of entry: Entry, in store: any PermissionStore) throws(StoreError) {
    guard let program = DoubtfulProgram(entry),
      try store.standing(of: entry.request.subject, capability: entry.request.capability).mute != nil
    else { return }
    state.withLock { $0.mutes[program] = entry.request.subject }
  }
}

/// The traits that tell programs in doubt apart: their process's user, family and chain of parents.
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
