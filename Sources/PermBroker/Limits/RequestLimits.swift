import PermModel

/// The limits on requests that need a person's attention: a pure value, which is given every event and its time.
///
/// Only requests that need a new alert count. An answer that is already known costs the person nothing.
package struct RequestLimits: Sendable {
  /// The limits and the rates at which they recover.
  package struct Settings: Hashable, Sendable {
    /// The requests of one program: a burst of so many, then one in each interval.
    package var programBurst = 5
    package var programInterval = Duration.seconds(10)
    /// The requests of all programs together. High enough for ten programs to start at once, and low enough that a
    /// program cannot get round its own limit by asking from many files in turn.
    package var overallBurst = 100
    package var overallInterval = Duration.seconds(1)
    package var waitingPerProgram = 20
    package var waitingOverall = 1000
    /// The programs of one family that may begin to ask: ten that start together pass, but one that copies itself is
    /// soon refused.
    package var newcomerBurst = 25
    package var newcomerInterval = Duration.seconds(5)
    /// The requests of all programs of one family.
    package var familyBurst = 50
    package var familyInterval = Duration.seconds(2)
    package var waitingPerFamily = 200

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

  /// An admitted request, and the account that it was charged to.
  package struct Admission: Hashable, Sendable {
    fileprivate var payer: Payer
    /// Whether its program had not asked for a while.
    fileprivate var isNewcomer = false
    /// Whether an earlier broker admitted it, so that no token was taken here.
    fileprivate var isInherited = false
  }

  private struct Account {
    var bucket = TokenBucket()
    var waiting = 0

    func isQuiet(at now: Duration) -> Bool { waiting == 0 && bucket.isFull(at: now) }
  }

  private struct FamilyAccount {
    var requests = TokenBucket()
    var newcomers = TokenBucket()
    var waiting = 0

    func isQuiet(at now: Duration) -> Bool {
      waiting == 0 && requests.isFull(at: now) && newcomers.isFull(at: now)
    }
  }

  private let settings: Settings
  private var accounts: [Asker: Account] = [:]
  private var families: [Family: FamilyAccount] = [:]
  private var overall = TokenBucket()
  private var waiting = 0
  private var nextSweep = 64

  package init(settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Admits a request. Times are durations since a fixed moment, on a clock that also runs while the machine sleeps.
  ///
  /// - Throws: ``Refusal`` if it may not ask.
  package mutating func admit(_ payer: Payer, at now: Duration) throws(Refusal) -> Admission {
    sweep(at: now)
    let admission = Admission(
      payer: payer, isNewcomer: accounts[payer.program]?.isQuiet(at: now) ?? true)
    if let refusal = refusal(for: admission, at: now) { throw refusal }
    accounts[payer.program, default: Account()].bucket.take(at: now, rate: settings.programRate)
    families[payer.family, default: FamilyAccount()].requests.take(at: now, rate: settings.familyRate)
    if admission.isNewcomer { families[payer.family]?.newcomers.take(at: now, rate: settings.newcomerRate) }
    overall.take(at: now, rate: settings.overallRate)
    count(payer, 1)
    return admission
  }

  /// Counts a request that was already admitted by an earlier broker.
  package mutating func readmit(_ payer: Payer) -> Admission {
    count(payer, 1)
    return Admission(payer: payer, isInherited: true)
  }

  /// Ends an admitted request.
  ///
  /// - Parameter isAnswered: Whether a person has answered it. If so, its tokens are returned: only unanswered requests
  ///   count as a flood.
  package mutating func end(_ admission: Admission, isAnswered: Bool = false) {
    let payer = admission.payer
    count(payer, -1)
    guard isAnswered, !admission.isInherited else { return }
    accounts[payer.program]?.bucket.giveBack(rate: settings.programRate)
    families[payer.family]?.requests.giveBack(rate: settings.familyRate)
    if admission.isNewcomer { families[payer.family]?.newcomers.giveBack(rate: settings.newcomerRate) }
    overall.giveBack(rate: settings.overallRate)
  }

  private mutating func count(_ payer: Payer, _ change: Int) {
    accounts[payer.program, default: Account()].waiting += change
    families[payer.family, default: FamilyAccount()].waiting += change
    waiting += change
  }

  private func refusal(for admission: Admission, at now: Duration) -> Refusal? {
    let account = accounts[admission.payer.program] ?? Account()
    let family = families[admission.payer.family] ?? FamilyAccount()
    return refusalOfWaiting(account, family) ?? refusalOfSpeed(account, family, admission, at: now)
  }

  private func refusalOfWaiting(_ account: Account, _ family: FamilyAccount) -> Refusal? {
    if account.waiting >= settings.waitingPerProgram {
      return .tooManyWaiting(limit: settings.waitingPerProgram)
    }
    if family.waiting >= settings.waitingPerFamily {
      return .tooManyOfFamilyWaiting(limit: settings.waitingPerFamily)
    }
    return waiting < settings.waitingOverall ? nil : .tooManyWaitingOverall(limit: settings.waitingOverall)
  }

  private func refusalOfSpeed(
    _ account: Account, _ family: FamilyAccount, _ admission: Admission, at now: Duration
  ) -> Refusal? {
    let own = [
      account.bucket.wait(at: now, rate: settings.programRate),
      overall.wait(at: now, rate: settings.overallRate),
    ]
    if let wait = own.compactMap({ $0 }).max() { return .tooFast(tryAgainIn: wait) }
    let shared = [
      family.requests.wait(at: now, rate: settings.familyRate),
      admission.isNewcomer ? family.newcomers.wait(at: now, rate: settings.newcomerRate) : nil,
    ]
    return shared.compactMap { $0 }.max().map { .tooManyOfFamily(tryAgainIn: $0) }
  }

  /// Forgets quiet programs and families whenever the number of accounts has doubled. So memory is proportional to the
  /// number of recent askers, at a constant amortized cost per request.
  private mutating func sweep(at now: Duration) {
    guard remembered >= nextSweep else { return }
    accounts = accounts.filter { !$1.isQuiet(at: now) }
    families = families.filter { !$1.isQuiet(at: now) }
    nextSweep = max(64, remembered * 2)
  }

  /// The number of remembered programs and families.
  var remembered: Int { accounts.count + families.count }
}

extension RequestLimits.Settings {
  fileprivate var programRate: TokenBucket.Rate { .init(burst: programBurst, interval: programInterval) }
  fileprivate var overallRate: TokenBucket.Rate { .init(burst: overallBurst, interval: overallInterval) }
  fileprivate var familyRate: TokenBucket.Rate { .init(burst: familyBurst, interval: familyInterval) }
  fileprivate var newcomerRate: TokenBucket.Rate { .init(burst: newcomerBurst, interval: newcomerInterval) }
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
