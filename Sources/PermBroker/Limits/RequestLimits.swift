package import PermModel

/// How much programs may ask of a person: a pure value, told what happens and when.
///
/// Only requests that need a new alert count. An answer that is known already costs the person nothing.
package struct RequestLimits: Sendable {
  /// What programs may do.
  package struct Settings: Hashable, Sendable {
    /// What one program may ask: so many at once, then one in each interval.
    package var programBurst = 5
    package var programInterval = Duration.seconds(10)
    /// What all together may ask. Higher than for one, so that ten programs may start at once, and low enough
    /// that many files which take turns do not get round the limit of one.
    package var overallBurst = 100
    package var overallInterval = Duration.seconds(1)
    package var waitingPerProgram = 20
    package var waitingOverall = 1000

    package init() {}
  }

  /// What counts as one asker: the file, whatever it calls itself. All that cannot be told apart count as one.
  package enum Asker: Hashable, Sendable {
    case file(FileIdentity, isSandboxed: Bool)
    /// A file that only root can put another in the place of.
    case path(String)
    case unknown

    package init(_ subject: Subject) {
      self =
        subject.file.map { .file($0, isSandboxed: subject.isSandboxed) } ?? subject.path.map { .path($0) }
        ?? .unknown
    }
  }

  /// Why a request is refused before anybody sees it.
  package enum Refusal: Error, Hashable, Sendable {
    case tooFast(tryAgainIn: Duration)
    case tooManyWaiting(limit: Int)
    case tooManyWaitingOverall(limit: Int)
  }

  private struct Account {
    var bucket = TokenBucket()
    var waiting = 0
  }

  private let settings: Settings
  private var accounts: [Asker: Account] = [:]
  private var overall = TokenBucket()
  private var waiting = 0
  private var nextSweep = 64

  package init(settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Counts a request in, or says why it may not ask. Moments are durations since some fixed one, on a clock that
  /// also runs while the machine sleeps.
  package mutating func admit(_ asker: Asker, at now: Duration) -> Refusal? {
    sweep(at: now)
    var account = accounts[asker] ?? Account()
    if let refusal = refusal(for: account, at: now) { return refusal }
    account.bucket.take(at: now, rate: programRate)
    account.waiting += 1
    accounts[asker] = account
    overall.take(at: now, rate: overallRate)
    waiting += 1
    return nil
  }

  /// Counts in a request that was admitted before, by a broker that is gone.
  package mutating func readmit(_ asker: Asker) {
    accounts[asker, default: Account()].waiting += 1
    waiting += 1
  }

  /// Counts out a request that was admitted: answered, dismissed or withdrawn.
  package mutating func end(_ asker: Asker) {
    guard let account = accounts[asker], account.waiting > 0 else { return }
    accounts[asker]?.waiting -= 1
    waiting -= 1
  }

  private var programRate: TokenBucket.Rate {
    TokenBucket.Rate(burst: settings.programBurst, interval: settings.programInterval)
  }

  private var overallRate: TokenBucket.Rate {
    TokenBucket.Rate(burst: settings.overallBurst, interval: settings.overallInterval)
  }

  private func refusal(for account: Account, at now: Duration) -> Refusal? {
    guard account.waiting < settings.waitingPerProgram else {
      return .tooManyWaiting(limit: settings.waitingPerProgram)
    }
    guard waiting < settings.waitingOverall else {
      return .tooManyWaitingOverall(limit: settings.waitingOverall)
    }
    let waits = [
      account.bucket.wait(at: now, rate: programRate), overall.wait(at: now, rate: overallRate),
    ]
    return waits.compactMap { $0 }.max().map { .tooFast(tryAgainIn: $0) }
  }

  /// Forgets those about whom nothing needs to be remembered, whenever their number has doubled: memory stays in
  /// step with those that asked lately, at a constant cost for each request.
  private mutating func sweep(at now: Duration) {
    guard accounts.count >= nextSweep else { return }
    accounts = accounts.filter { _, account in
      account.waiting > 0 || !account.bucket.isFull(at: now)
    }
    nextSweep = max(64, accounts.count * 2)
  }

  /// How many askers are remembered.
  var remembered: Int { accounts.count }
}

extension RequestLimits.Refusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooFast(let wait): "this program asks too often; try again in \(wait.inWords)"
    case .tooManyWaiting(let limit): "\(limit) requests of this program are waiting already"
    case .tooManyWaitingOverall(let limit): "\(limit) requests are waiting already"
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
