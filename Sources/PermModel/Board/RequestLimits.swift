/// The limits on requests that need a person's attention. A pure value: the caller passes in the time of every event.
///
/// Only requests that need a new alert are counted. A request that existing decisions answer costs the person nothing.
package struct RequestLimits: Sendable {
  /// The limits, and the rates at which used tokens return.
  package struct Settings: Hashable, Sendable {
    /// The limit for the requests of one program.
    package var program = TokenBucket.Rate(burst: 5, interval: .seconds(10))
    /// The limit for the requests of all programs together. It is high enough for ten programs to start together, and
    /// low enough that a program cannot evade its own limit by asking from many different files in turn.
    package var overall = TokenBucket.Rate(burst: 100, interval: .seconds(1))
    /// The limit for programs of one family that ask for the first time in a while. Ten programs that start together
    /// are admitted, but a program that copies itself is soon refused.
    package var newcomers = TokenBucket.Rate(burst: 25, interval: .seconds(5))
    /// The limit for the requests of all programs of one family together.
    package var family = TokenBucket.Rate(burst: 50, interval: .seconds(2))
    package var waitingPerProgram = 20
    package var waitingPerFamily = 200
    package var waitingOverall = 1000

    package init() {}
  }

  /// A reason why a request is refused before a person sees it.
  package enum Refusal: Error, Hashable, Sendable {
    case tooFast(tryAgainIn: Duration)
    case tooManyWaiting(limit: Int)
    case tooManyOfFamily(tryAgainIn: Duration)
    case tooManyOfFamilyWaiting(limit: Int)
    case tooManyWaitingOverall(limit: Int)
  }

  /// An admitted request, with the account to which it was charged.
  struct Admission: Hashable, Sendable {
    fileprivate var account: CostAccount
    /// Whether this is the program's first request in a while.
    fileprivate var isNewcomer = false
    /// Whether an earlier broker admitted the request, so that this broker took no token.
    fileprivate var isInherited = false
  }

  /// The tokens of a program or a family, and the number of its waiting requests.
  private struct Account {
    var requests = TokenBucket()
    /// The tokens for programs that ask for the first time in a while. Used only in a family's account.
    package var newcomers = TokenBucket()
    var waiting = 0

    func isQuiet(at now: Duration) -> Bool {
      waiting == 0 && requests.isFull(at: now) && newcomers.isFull(at: now)
    }
  }

  private let settings: Settings
  private var accounts: [ProgramKey: Account] = [:]
  private var families: [ProcessFamily: Account] = [:]
  private var overall = TokenBucket()
  private var waiting = 0
  private var nextSweep = 64

  init(settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Admits a request. The time is a duration since a fixed point, on a clock that also runs while the machine sleeps.
  ///
  /// - Throws: ``Refusal`` if the request exceeds a limit.
  mutating func admit(_ account: CostAccount, at now: Duration) throws(Refusal) -> Admission {
    sweep(at: now)
    let admission = Admission(
      account: account, isNewcomer: accounts[account.program]?.isQuiet(at: now) ?? true)
    if let refusal = refusal(for: admission, at: now) { throw refusal }
    accounts[account.program, default: Account()].requests.take(at: now, rate: settings.program)
    families[account.family, default: Account()].requests.take(at: now, rate: settings.family)
    if admission.isNewcomer { families[account.family]?.newcomers.take(at: now, rate: settings.newcomers) }
    overall.take(at: now, rate: settings.overall)
    count(account, 1)
    return admission
  }

  /// Counts a waiting request that an earlier broker already admitted. Takes no tokens.
  mutating func readmit(_ account: CostAccount) -> Admission {
    count(account, 1)
    return Admission(account: account, isInherited: true)
  }

  /// Ends an admitted request.
  ///
  /// - Parameter isAnswered: Whether a person answered the request. If so, the request's tokens are returned, because
  ///   only unanswered requests are treated as a flood.
  mutating func end(_ admission: Admission, isAnswered: Bool = false) {
    let account = admission.account
    count(account, -1)
    guard isAnswered, !admission.isInherited else { return }
    accounts[account.program]?.requests.giveBack(rate: settings.program)
    families[account.family]?.requests.giveBack(rate: settings.family)
    if admission.isNewcomer { families[account.family]?.newcomers.giveBack(rate: settings.newcomers) }
    overall.giveBack(rate: settings.overall)
  }

  private mutating func count(_ account: CostAccount, _ change: Int) {
    accounts[account.program, default: Account()].waiting += change
    families[account.family, default: Account()].waiting += change
    waiting += change
  }

  private func refusal(for admission: Admission, at now: Duration) -> Refusal? {
    let account = accounts[admission.account.program] ?? Account()
    let family = families[admission.account.family] ?? Account()
    return refusalOfWaiting(account, family) ?? refusalOfSpeed(account, family, admission, at: now)
  }

  private func refusalOfWaiting(_ account: Account, _ family: Account) -> Refusal? {
    if account.waiting >= settings.waitingPerProgram {
      return .tooManyWaiting(limit: settings.waitingPerProgram)
    }
    if family.waiting >= settings.waitingPerFamily {
      return .tooManyOfFamilyWaiting(limit: settings.waitingPerFamily)
    }
    return waiting < settings.waitingOverall ? nil : .tooManyWaitingOverall(limit: settings.waitingOverall)
  }

  private func refusalOfSpeed(
    _ account: Account, _ family: Account, _ admission: Admission, at now: Duration
  ) -> Refusal? {
    let own = [
      account.requests.wait(at: now, rate: settings.program),
      overall.wait(at: now, rate: settings.overall),
    ]
    if let wait = own.compactMap({ $0 }).max() { return .tooFast(tryAgainIn: wait) }
    let shared = [
      family.requests.wait(at: now, rate: settings.family),
      admission.isNewcomer ? family.newcomers.wait(at: now, rate: settings.newcomers) : nil,
    ]
    return shared.compactMap { $0 }.max().map { .tooManyOfFamily(tryAgainIn: $0) }
  }

  /// Forgets inactive programs and families whenever the number of accounts has doubled. This keeps memory proportional
  /// to the number of recent askers, at a constant amortized cost per request.
  private mutating func sweep(at now: Duration) {
    guard remembered >= nextSweep else { return }
    accounts = accounts.filter { !$1.isQuiet(at: now) }
    families = families.filter { !$1.isQuiet(at: now) }
    nextSweep = max(64, remembered * 2)
  }

  /// The number of programs and families that have an account.
  var remembered: Int { accounts.count + families.count }
}

extension RequestLimits.Refusal {
  /// The time after which the request might be admitted; `nil` if that depends on when other requests end.
  var wait: Duration? {
    switch self {
    case .tooFast(let wait), .tooManyOfFamily(let wait): wait
    case .tooManyWaiting, .tooManyOfFamilyWaiting, .tooManyWaitingOverall: nil
    }
  }
}

extension RequestLimits.Refusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooFast(let wait): "this program asks too often; try again in \(wait.inWords)"
    case .tooManyWaiting(let limit): "\(limit) requests of this program are waiting already; try again later"
    case .tooManyOfFamily(let wait):
      "too many programs of this terminal or service ask at once; try again in \(wait.inWords)"
    case .tooManyOfFamilyWaiting(let limit):
      "\(limit) requests of this terminal or service are waiting already; try again later"
    case .tooManyWaitingOverall(let limit): "\(limit) requests are waiting already; try again later"
    }
  }
}

extension Duration {
  /// The duration in whole seconds or minutes, rounded up.
  fileprivate var inWords: String {
    let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
    return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }
}
