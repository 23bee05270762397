import Machine
import PermModel

/// A ledger that writes automatic answers to the store without delaying replies. All answers given within one
/// second are written in one transaction.
final class AnswerLedger: Sendable {
  private struct State {
    var sums = AnswerSums()
    /// Whether a task is writing the noted answers.
    var isAttended = false
  }

  typealias Sleep = @Sendable (Duration) async throws -> Void

  private let state = Lock(State())
  /// A lock held during a write. It ensures that all earlier answers are in the store when ``write()`` returns.
  private let writing = Lock(())
  private let now: @Sendable () -> Timestamp
  private let sleep: Sleep
  private let store: @Sendable ([AutomaticAnswer]) throws -> Void

  private static let pause = Duration.seconds(1)
  /// The time before the next attempt after a write has failed.
  private static let pauseAfterFailure = Duration.seconds(10)

  init(
    now: @escaping @Sendable () -> Timestamp, sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
    store: @escaping @Sendable ([AutomaticAnswer]) throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
    self.store = store
  }

  /// Notes an answer, to be written within about a second if the store is writable.
  func note(_ answer: AutomaticAnswer) {
    let isFirst = state.withLock { state in
      state.sums.add(answer, at: now())
      defer { state.isAttended = true }
      return !state.isAttended
    }
    if isFirst { Task.quiet { await self.attend() } }
  }

  /// Writes the answers noted so far. If the store cannot be written to, keeps the answers and returns `false`.
  @discardableResult
  func write() -> Bool {
    writing.withLock { _ in
      let answers = state.withLock { $0.sums.take() }
      guard !answers.isEmpty else { return true }
      do {
        try store(answers)
        return true
      } catch {
        state.withLock { $0.sums.putBack(answers) }
        return false
      }
    }
  }

  /// Writes the noted answers immediately, and then every second until no new answers arrive.
  private func attend() async {
    repeat {
      let isWritten = write()
      try? await sleep(isWritten ? Self.pause : Self.pauseAfterFailure)
    } while goesOn()
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isAttended = !state.sums.isEmpty
      return state.isAttended
    }
  }
}

/// Sums of automatic answers that have not been written yet. A pure value.
///
/// Denials within a minute become one line of the journal if the program, the capability and the reason are the same,
/// whatever label the program uses. For allowed requests, the label and the parts must also be the same.
struct AnswerSums: Sendable {
  fileprivate enum Key: Hashable {
    case allowed(Subject, capability: String?, Set<Atom>, reason: String)
    case denied(Asker, kind: JournalEntry.Kind, capability: String?, reason: String)
    /// All denials beyond ``mostDenied`` with the same reason, whichever programs they concern.
    case others(reason: String)
  }

  /// The maximum number of different denials per minute that get their own line in the journal. Even a program that
  /// makes copies of itself cannot exceed it.
  static let mostDenied = 60

  /// The first answer of each kind within a minute. Later answers of that kind are counted in the same line
  /// of the journal.
  private var firsts: [Key: AutomaticAnswer] = [:]
  private var pending: [Key: AutomaticAnswer] = [:]

  var isEmpty: Bool { pending.isEmpty }

  mutating func add(_ answer: AutomaticAnswer, at now: Timestamp) {
    let key = freshKey(of: answer, at: now)
    let first = firsts[key] ?? key.first(answer, at: now)
    firsts[key] = first
    pending[key, default: first.empty(at: now)].add(answer, at: now)
  }

  /// Removes and returns the answers to be written, earliest first.
  mutating func take() -> [AutomaticAnswer] {
    defer { pending = [:] }
    return pending.values.sorted { ($0.at?.microseconds ?? 0) < ($1.at?.microseconds ?? 0) }
  }

  /// Puts back answers that could not be written.
  mutating func putBack(_ answers: [AutomaticAnswer]) {
    for var answer in answers {
      let key = Key(answer)
      if let newer = pending[key] { answer.add(newer, at: newer.lastAt ?? newer.at) }
      pending[key] = answer
    }
  }

  /// Returns the key under which an answer is counted. Also forgets lines that are older than a minute.
  private mutating func freshKey(of answer: AutomaticAnswer, at now: Timestamp) -> Key {
    let key = Key(answer)
    if let first = firsts[key], Self.isFresh(first, at: now) { return key }
    firsts = firsts.filter { Self.isFresh($1, at: now) }
    guard answer.verdict == .deny, firsts.keys.count(where: \.isDenial) >= Self.mostDenied else { return key }
    return .others(reason: answer.reason)
  }

  private static func isFresh(_ first: AutomaticAnswer, at now: Timestamp) -> Bool {
    guard let begin = first.at else { return false }
    return begin <= now && now - begin < .seconds(60)
  }
}

extension AnswerSums.Key {
  fileprivate init(_ answer: AutomaticAnswer) {
    self =
      switch answer.verdict {
      case .allow:
        .allowed(answer.subject, capability: answer.capability, answer.atoms, reason: answer.reason)
      case .deny:
        .denied(
          Asker(counting: answer.subject), kind: answer.kind, capability: answer.capability,
          reason: answer.reason)
      }
  }

  fileprivate var isDenial: Bool { if case .allowed = self { false } else { true } }

  /// Returns the answer that begins this key's line in the journal.
  fileprivate func first(_ answer: AutomaticAnswer, at now: Timestamp) -> AutomaticAnswer {
    var first = answer
    first.at = now
    guard case .others = self else { return first }
    first.subject = Subject(label: "other programs")
    first.capability = nil
    first.atoms = []
    first.decisions = []
    return first
  }
}

extension AutomaticAnswer {
  /// Returns a sum for answers of this kind. The sum begins at the given time, and includes no answer yet.
  fileprivate func empty(at moment: Timestamp) -> AutomaticAnswer {
    var sum = self
    (sum.count, sum.at) = (0, moment)
    return sum
  }

  /// Adds a newer answer of the same kind to this sum.
  fileprivate mutating func add(_ other: AutomaticAnswer, at moment: Timestamp?) {
    count += other.count
    lastAt = moment
    if capability != nil { atoms = other.atoms }
    decisions += other.decisions.filter { new in !decisions.contains { $0.key == new.key } }
  }
}
