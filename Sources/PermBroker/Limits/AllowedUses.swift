import PermModel

/// The requests that were allowed and whose programs may still say how the use ended. A pure value.
///
/// Only so many are remembered: a program that never says so costs no more memory than one that does.
struct AllowedUses: Sendable {
  struct Use: Sendable {
    var seen: IdentifiedProgram
    var group: String
    var mark: String
    var request: Request
  }

  /// The greatest number of uses that are remembered, for all programs together and for one of them.
  static let most = 1_024
  static let mostOfProgram = 128

  private var uses: [Use] = []

  /// Remembers a use, and forgets the oldest one if there are too many.
  mutating func add(_ use: Use) {
    let own = uses.indices.filter { uses[$0].seen.isSameAsker(as: use.seen) }
    if own.count >= Self.mostOfProgram, let oldest = own.first {
      uses.remove(at: oldest)
    } else if uses.count >= Self.most {
      uses.removeFirst()
    }
    uses.append(use)
  }

  /// Removes and returns the oldest use that a program has marked so.
  mutating func take(_ seen: IdentifiedProgram, group: String, mark: String) -> Request? {
    let place = uses.firstIndex {
      $0.mark == mark && $0.group == group && $0.seen.isSameAsker(as: seen)
    }
    return place.map { uses.remove(at: $0).request }
  }
}
