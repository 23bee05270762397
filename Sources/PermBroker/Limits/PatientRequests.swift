import PermModel

/// The patient requests that wait until they may have an alert. A pure value.
struct PatientRequests: Sendable {
  static let mostOfOneProgram = 3
  static let most = 50
  static let longestWait = Duration.seconds(600)
  /// The longest time between two attempts to get an alert.
  static let pause = Duration.seconds(1)

  private var ofProgram: [Asker: Int] = [:]
  private var ofKin: [Kin: Int] = [:]

  /// The programs of one family, in one folder if they are agents. Copies of a program are among them, so they share
  /// one limit.
  private struct Kin: Hashable {
    var family: Family
    var folder: ProgramFolder?

    /// Returns `nil` for a program that another one vouches for, because its family is that of the other program.
    init?(_ payer: Payer) {
      switch payer.program {
      case .agent(_, let folder): (family, self.folder) = (payer.family, folder)
      case .file, .doubtful: (family, folder) = (payer.family, nil)
      default: return nil
      }
    }
  }

  /// Counts a request. Returns `false` if too many wait already.
  mutating func begin(_ payer: Payer) -> Bool {
    let kin = Kin(payer)
    let waiting = max(ofProgram[payer.program, default: 0], kin.map { ofKin[$0, default: 0] } ?? 0)
    guard waiting < Self.mostOfOneProgram, ofProgram.values.reduce(0, +) < Self.most else { return false }
    ofProgram[payer.program, default: 0] += 1
    if let kin { ofKin[kin, default: 0] += 1 }
    return true
  }

  mutating func end(_ payer: Payer) {
    ofProgram.decrease(payer.program)
    if let kin = Kin(payer) { ofKin.decrease(kin) }
  }
}
