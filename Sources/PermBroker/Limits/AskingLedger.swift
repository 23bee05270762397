import Machine
import PermModel

/// The requests for which the broker's clients are waiting.
///
/// A request enters the ledger when it arrives, and is announced as waiting. While it
/// waits, the program might ask about it on the program's own terminal. When the request ends, it leaves the ledger.
final class AskingLedger: Sendable {
  struct Entry: Sendable {
    var request: Request
    var peer: Peer
    /// The program as it was identified when the request arrived.
    var seen: IdentifiedProgram
    var account: CostAccount
    /// Notifies the client that the request is waiting.
    var announce: @Sendable () async -> Void
    /// Asks the request again if its values mean something else by now, and returns whether they do.
    var askAgainIfChanged: @Sendable () async -> Bool = { false }
    /// Withdraws the request; `nil` until the request has been added to the broker's queue.
    var withdraw: (@Sendable () -> Void)?
    /// Whether the request is withdrawn as soon as that is possible.
    var isToBeWithdrawn = false
    /// The group of requests with which the program can withdraw this one; its ``mark`` selects within the group.
    var group: String?
    var mark: String?
    /// Whether the request waits if the program asks too often.
    var isPatient = false
    /// Whether the program is behind walls. Its warden vouches for what it is, for as long as it supervises the run.
    var isBehindWalls: Bool { request.evidence?.walled != nil }
    /// Whether the request is a question of a warden, of which each run can have so many.
    var isOfWarden = false
    /// Whether the request is made only if a dashboard shows it.
    var needsDashboard = false
    /// Whether the program has withdrawn the request, because it was answered in the program itself.
    var isAnsweredThere = false
    /// Whether the program is currently asking about the request on the program's own terminal.
    var isAskedHere = false
    /// The number of times the program has begun to ask on its own terminal.
    var timesAskedHere = 0
  }

  private struct State {
    var entries: [Request.ID: Entry] = [:]
    /// The requests that were already waiting when this broker started. Each request is removed once its client has
    /// repeated it and it has been counted.
    var inherited: [Request.ID: Request] = [:]
    var pace = DenialPace()
    /// The number of each program's open `Status` streams.
    var streams: [ProgramKey: Int] = [:]
    var mutes: [DoubtfulProgram: Subject] = [:]
    var uses = AllowedUses()
  }

  private let state = Lock(State())
  /// Returns the current time, on a clock that also runs while the machine sleeps.
  private let now: @Sendable () -> Duration

  init(now: @escaping @Sendable () -> Duration) { self.now = now }

  subscript(id: Request.ID) -> Entry? { state.withLock { $0.entries[id] } }

  /// Returns the waiting requests that meet a condition.
  func entries(where isMeant: (Entry) -> Bool) -> [Entry] {
    state.withLock { $0.entries.values.filter(isMeant) }
  }

  // MARK: From arrival to end

  /// Notes the requests that an earlier broker left waiting. Called when this broker begins to serve.
  func inherit(_ waiting: [Request]) {
    state.withLock { $0.inherited = Dictionary(waiting.map { ($0.id, $0) }) { first, _ in first } }
  }

  /// Returns the time at which an inherited request was first made; `nil` if the request is not inherited.
  func askedAt(_ id: Request.ID) -> Timestamp? { state.withLock { $0.inherited[id]?.askedAt } }

  /// Adds a request. Returns `false` if a request with the same id is already waiting.
  func enter(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard state.entries[entry.request.id] == nil else { return false }
      state.entries[entry.request.id] = entry
      return true
    }
  }

  /// Replaces a request with the same request, whose values mean something else by now.
  func replace(_ request: Request, of seen: IdentifiedProgram) {
    state.withLock {
      $0.entries[request.id]?.request = request
      $0.entries[request.id]?.seen = seen
    }
  }

  /// Replaces the evidence about the program that makes a request.
  func note(_ evidence: Evidence, of id: Request.ID) {
    state.withLock { state in
      guard let entry = state.entries[id] else { return }
      state.entries[id]?.request = entry.request.with(evidence)
      state.entries[id]?.seen.evidence = evidence
    }
  }

  /// Stores the closure that withdraws a request, and calls it if the request is to be withdrawn already.
  func begin(_ id: Request.ID, withdraw: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.entries[id]?.withdraw = withdraw
      return state.entries[id]?.isToBeWithdrawn ?? false
    }
    if isLate { withdraw() }
  }

  /// Returns what a new alert for a request costs. An inherited request takes no tokens, because the previous broker
  /// already charged for it. A question of a run costs none either, because each run has a limit of its own.
  func charge(for request: Request) -> Board.Charge? {
    state.withLock { state in
      let entry = state.entries[request.id]
      if entry?.isOfWarden == true { return nil }
      let account = entry?.account ?? CostAccount(ProgramKey(counting: request.subject), in: .unknown)
      let inherited = state.inherited.removeValue(forKey: request.id)
      return Board.Charge(
        to: account, isPatient: entry?.isPatient ?? false,
        isInherited: inherited?.asksTheSame(as: request) ?? false)
    }
  }

  /// Marks the requests that a program withdraws, and returns their ids. Requests of other programs, and of other
  /// processes of the same program, are left alone.
  func withdraw(_ seen: IdentifiedProgram, where isMeant: (Entry) -> Bool) -> [Request.ID] {
    state.withLock { state in
      let meant = state.entries.values.filter { $0.seen.isSameAsker(as: seen) && isMeant($0) }.map(
        \.request.id)
      for id in meant { state.entries[id]?.isAnsweredThere = true }
      return meant
    }
  }

  /// Remembers that a request was allowed, if its program can say later how the use ended.
  func noteAllowed(_ entry: Entry) {
    guard let group = entry.group, let mark = entry.mark else { return }
    let use = AllowedUses.Use(seen: entry.seen, group: group, mark: mark, request: entry.request)
    state.withLock { $0.uses.add(use) }
  }

  /// Returns the allowed request that a program has used, and forgets it; `nil` if there is none.
  func takeUse(of seen: IdentifiedProgram, group: String, mark: String) -> Request? {
    state.withLock { $0.uses.take(seen, group: group, mark: mark) }
  }

  /// Removes a request that has ended.
  func leave(_ id: Request.ID) { _ = state.withLock { $0.entries.removeValue(forKey: id) } }

  /// Withdraws requests, also those that are not in the broker's queue yet.
  func withdraw(_ ids: Set<Request.ID>) {
    let withdrawals = state.withLock { state in
      ids.compactMap { id in
        state.entries[id]?.isToBeWithdrawn = true
        return state.entries[id]?.withdraw
      }
    }
    for withdraw in withdrawals { withdraw() }
  }

  /// Checks again which programs are behind the given requests, and withdraws those requests whose program
  /// has changed or is gone.
  ///
  /// - Returns: The requests that are withdrawn. Their operations notice it a little later.
  func withdrawChanged(_ ids: [Request.ID], _ witness: PeerWitness) -> Set<Request.ID> {
    let changed = ids.compactMap { self[$0] }.filter { !$0.isBehindWalls }.filter { entry in
      witness.program(behind: entry.peer, withChain: false)?.isSame(as: entry.seen) != true
    }
    let ids = Set(changed.map(\.request.id))
    withdraw(ids)
    return ids
  }

  /// Finds out again what the values of the given requests mean, and asks those requests again whose values mean something
  /// else by now.
  ///
  /// - Returns: Whether any request is asked again.
  @discardableResult
  func askChangedAgain(_ ids: [Request.ID]) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      for entry in ids.compactMap({ self[$0] }) { group.addTask { await entry.askAgainIfChanged() } }
      return await group.reduce(false) { $0 || $1 }
    }
  }
}

// MARK: Asking on the program's own terminal

extension AskingLedger {
  /// The maximum number of times that a program can begin to ask about one request on the program's own terminal. The
  /// number is limited because each time adds a line to the journal.
  private static let mostTimesAskedHere = 50

  /// Notes that a program is asking about its request on the program's own terminal. Returns `false` if it is
  /// already asking there, or has begun to do so too often.
  func beginAskingHere(_ id: Request.ID) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[id], !entry.isAskedHere, entry.timesAskedHere < Self.mostTimesAskedHere
      else { return false }
      state.entries[id]?.isAskedHere = true
      state.entries[id]?.timesAskedHere += 1
      return true
    }
  }

  /// Notes that a program no longer asks about its request on the program's own terminal. Returns `false` if
  /// it was not asking there.
  func endAskingHere(_ id: Request.ID) -> Bool {
    state.withLock { state in
      defer { state.entries[id]?.isAskedHere = false }
      return state.entries[id]?.isAskedHere == true
    }
  }
}

// MARK: Costs that do not involve a person

extension AskingLedger {
  /// The maximum number of `Status` streams that one program can have open.
  static let mostStreams = 32

  /// Counts a denial that involved no person. Returns the delay before the reply; `nil` for no delay.
  func delay(of program: ProgramKey) -> Duration? {
    let moment = now()
    return state.withLock { $0.pace.delay(of: program, at: moment) }
  }

  /// Counts a `Status` call that continues until its client disconnects.
  ///
  /// - Throws: ``BrokerError/tooMuch(reason:)`` if the program already has ``mostStreams`` such calls.
  func beginStream(of program: ProgramKey) throws(BrokerError) {
    try state.withLock { state throws(BrokerError) in
      guard state.streams[program, default: 0] < Self.mostStreams else {
        throw .tooMuch(
          reason:
            "\(Self.mostStreams) calls of Status wait for changes for this program already; end one first")
      }
      state.streams[program, default: 0] += 1
    }
  }

  func endStream(of program: ProgramKey) { state.withLock { $0.streams.decrease(program) } }
}

// MARK: Mutes of programs that cannot be identified

extension AskingLedger {
  /// Returns the mute that applies to an unidentifiable program; `nil` if the program is not muted. The mute applies
  /// even if the program has changed its label. Each such mute is also a decision in the store, under the label that
  /// was muted. When that decision ends, the mute ends too.
  func mute(of entry: Entry, in store: any PermissionStore) throws(StoreError) -> Decision? {
    guard let program = DoubtfulProgram(entry), let muted = state.withLock({ $0.mutes[program] }) else {
      return nil
    }
    let mute = try store.standing(
      of: muted, capability: entry.request.capability, asking: entry.request.atoms
    ).mute
    if mute == nil { state.withLock { $0.mutes[program] = nil } }
    return mute
  }

  /// Notes a mute after a denial, if the person also muted the program and the program cannot be identified.
  func noteMute(of entry: Entry, in store: any PermissionStore) throws(StoreError) {
    guard let program = DoubtfulProgram(entry),
      try store.standing(
        of: entry.request.subject, capability: entry.request.capability, asking: entry.request.atoms
      ).mute != nil
    else { return }
    state.withLock { $0.mutes[program] = entry.request.subject }
  }
}

/// The traits by which unidentifiable programs are told apart: the process's user, its family and the names of its
/// ancestors.
private struct DoubtfulProgram: Hashable {
  var user: UInt32
  var family: ProcessFamily
  var chain: [String]

  /// Collects the traits of a program. Returns `nil` if the program is identified by its file.
  init?(_ entry: AskingLedger.Entry) {
    guard entry.seen.file == nil else { return nil }
    user = entry.peer.user
    family = entry.account.family
    chain = entry.seen.evidence.chain
  }
}

/// The delays of denials that do not involve a person, such as the denials that a muted program receives. A pure value.
///
/// The first denials are sent immediately. For a program that keeps asking, each further denial is delayed longer, up
/// to a second. This keeps the program from occupying the broker.
struct DenialPace: Sendable {
  private static let rate = TokenBucket.Rate(burst: 50, interval: .milliseconds(100))
  private static let longest = Duration.seconds(1)

  private var buckets: [ProgramKey: TokenBucket] = [:]
  private var nextSweep = 64

  /// Counts a denial, and returns its delay; `nil` for no delay.
  mutating func delay(of program: ProgramKey, at now: Duration) -> Duration? {
    if buckets.count >= nextSweep {
      buckets = buckets.filter { !$1.isFull(at: now) }
      nextSweep = max(64, buckets.count * 2)
    }
    var bucket = buckets[program] ?? TokenBucket()
    let wait = bucket.wait(at: now, rate: Self.rate).map { min($0, Self.longest) }
    // When the longest delay is reached, no further tokens are taken. A larger debt would only punish later calls.
    if wait != Self.longest { bucket.take(at: now, rate: Self.rate) }
    buckets[program] = bucket
    return wait
  }
}
