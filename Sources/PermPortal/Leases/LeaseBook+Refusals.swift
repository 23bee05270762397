extension LeaseBook {
  /// A change that the desktop's service did not make, and the moment at which it is tried again.
  struct Refusal: Hashable, Sendable {
    var step: Step
    /// The time between the last try and the next one, in milliseconds.
    var pause: Int64
    var triesAt: Int64

    /// Whether a change has to wait. Another one than was refused does not.
    func pauses(_ step: Step, at now: Int64) -> Bool { step == self.step && now < triesAt }
  }

  /// The pauses after the first refusal and after many, in milliseconds. Between them each is twice the one before.
  static let firstPause: Int64 = 1_000
  static let longestPause: Int64 = 600_000

  /// A change was tried, and the row was looked up afterwards. Unless it has changed, the change is tried again later.
  mutating func tried(_ step: Step, at now: Int64) {
    guard var lease = leases[step.row], lease.change == step else { return }
    let last = lease.refusal?.step == step ? lease.refusal?.pause : nil
    let pause = last.map { min($0 * 2, Self.longestPause) } ?? Self.firstPause
    lease.change = nil
    lease.refusal = Refusal(step: step, pause: pause, triesAt: now + pause)
    leases[step.row] = lease
  }
}
