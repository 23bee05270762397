import PermBroker

/// The answers of a person that are no decisions, and the questions that wait for them.
struct RunAnswers: Sendable {
  /// The uses that were denied since the start. They stay denied until the end, or a program that tries again would ask
  /// again and again.
  private var denied: Set<NetworkUse> = []
  /// The uses that were allowed this time, each until a moment: a program that loads a page connects several times.
  private var granted: [NetworkUse: Int64] = [:]
  /// The uses whose questions have just ended without an answer.
  private var unanswered: Set<NetworkUse> = []
  /// The questions that are asked, with their numbers as soon as they have one.
  private var asked: [NetworkUse: Int?] = [:]

  /// The time in milliseconds for which "this request" holds.
  private static let once: Int64 = 10_000

  mutating func deny(_ use: NetworkUse) { denied.insert(use) }

  /// Returns the ruling about a use that no decision covers.
  func ruling(on use: NetworkUse, at now: Int64) -> Ruling {
    if denied.contains(use) || unanswered.contains(use) { return .denied }
    return granted[use].map { now < $0 } == true ? .allowed : .open
  }

  mutating func begin(_ use: NetworkUse) { asked[use] = .some(nil) }

  mutating func begun(_ use: NetworkUse, _ number: Int) {
    if asked[use] != nil { asked[use] = number }
  }

  /// Returns whether the question was still asked.
  mutating func take(_ answer: RunQuestion.End, of use: NetworkUse, at now: Int64) -> Bool {
    guard asked.removeValue(forKey: use) != nil else { return false }
    switch answer {
    case .allowed: granted[use] = now + Self.once
    case .denied: denied.insert(use)
    case .unanswered: unanswered.insert(use)
    }
    return true
  }

  /// Ends the denials of those that were not answered: the programs that waited know.
  mutating func forgetUnanswered() { unanswered = [] }

  /// Removes the questions that nobody waits for any more, and returns their numbers.
  mutating func withdraw(except uses: Set<NetworkUse>) -> [Int] {
    let left = asked.filter { !uses.contains($0.key) }
    for use in left.keys { asked[use] = nil }
    return left.values.compactMap(\.self)
  }
}
