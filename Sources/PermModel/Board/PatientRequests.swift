/// The patient requests that wait until they may have an alert. A pure value.
///
/// A request that begins to wait takes a token, whether or not it goes away again. Otherwise a program that asks and
/// leaves in a loop would fill the journal.
struct PatientRequests: Sendable {
  static let mostOfOneProgram = 3
  static let most = 50
  static let rate = TokenBucket.Rate(burst: 3, interval: .seconds(10))
  static let longestWait = Duration.seconds(600)
  /// The longest time between two attempts to get an alert. A token can come back sooner than expected, when a person
  /// answers another request.
  static let pause = Duration.seconds(1)

  /// The wait of a request for a place.
  struct Wait: Sendable {
    var account: CostAccount
    var deadline: Board.Moment
    var next: Board.Moment
  }

  /// A holder of tokens.
  private enum Holder: Hashable {
    case program(ProgramKey)
    /// The programs of one family, in one folder if they are agents. Copies of a program are among them, so they share
    /// one limit.
    case kin(ProcessFamily, ProgramFolder?)
  }

  private var waits: [Board.Item.ID: Wait] = [:]
  private var counts: [Holder: Int] = [:]
  private var buckets: [Holder: TokenBucket] = [:]

  /// The moment at which a request is to be tried again.
  var next: Board.Moment? { waits.values.map(\.next).min() }

  /// Counts a request that begins to wait. Returns `false` if too many wait already.
  mutating func begin(
    _ id: Board.Item.ID, _ account: CostAccount, trying wait: Duration, at now: Board.Moment
  )
    -> Bool
  {
    buckets = buckets.filter { !$1.isFull(at: now) }
    let holders = Self.holders(account)
    let isFree = holders.allSatisfy { holder in
      counts[holder, default: 0] < Self.mostOfOneProgram
        && buckets[holder, default: TokenBucket()].wait(at: now, rate: Self.rate) == nil
    }
    guard isFree, waits.count < Self.most else { return false }
    for holder in holders {
      counts[holder, default: 0] += 1
      buckets[holder, default: TokenBucket()].take(at: now, rate: Self.rate)
    }
    waits[id] = Wait(account: account, deadline: now + Self.longestWait, next: now)
    again(id, in: wait, at: now)
    return true
  }

  /// Returns the request that is to be tried again first, if its moment has come.
  func due(at now: Board.Moment) -> (id: Board.Item.ID, wait: Wait)? {
    guard let first = waits.min(by: { ($0.value.next, $0.key) < ($1.value.next, $1.key) }),
      first.value.next <= now
    else { return nil }
    return (first.key, first.value)
  }

  /// Notes that a request is to be tried again after a pause.
  mutating func again(_ id: Board.Item.ID, in pause: Duration, at now: Board.Moment) {
    guard let wait = waits[id] else { return }
    // At the deadline, it is tried for the last time.
    let longest = max(wait.deadline - now, .microseconds(1))
    waits[id]?.next = now + max(min(pause, longest, Self.pause), .microseconds(1))
  }

  /// Ends a request's wait, if it still waits.
  mutating func end(_ id: Board.Item.ID) {
    guard let wait = waits.removeValue(forKey: id) else { return }
    for holder in Self.holders(wait.account) {
      let count = counts[holder, default: 0] - 1
      counts[holder] = count > 0 ? count : nil
    }
  }

  /// Gives a token back, because a person has answered the request.
  mutating func giveBack(_ account: CostAccount) {
    for holder in Self.holders(account) { buckets[holder]?.giveBack(rate: Self.rate) }
  }

  /// A program that another one vouches for has no kin, because its family is that of the other program.
  private static func holders(_ account: CostAccount) -> [Holder] {
    switch account.program {
    case .agent(_, let folder): [.program(account.program), .kin(account.family, folder)]
    case .file, .doubtful: [.program(account.program), .kin(account.family, nil)]
    default: [.program(account.program)]
    }
  }
}
