import PermModel

/// The patient requests that wait until they may have an alert. A pure value.
struct PatientRequests: Sendable {
  static let mostOfOneProgram = 3
  static let most = 50
  static let longestWait = Duration.seconds(600)
  /// The longest time between two attempts to get an alert.
  static let pause = Duration.seconds(1)

  private var ofProgram: [Asker: Int] = [:]

  /// Counts a request. Returns `false` if too many wait already.
  mutating func begin(_ program: Asker) -> Bool {
    guard ofProgram[program, default: 0] < Self.mostOfOneProgram, ofProgram.values.reduce(0, +) < Self.most
    else { return false }
    ofProgram[program, default: 0] += 1
    return true
  }

  mutating func end(_ program: Asker) { ofProgram.decrease(program) }
}
