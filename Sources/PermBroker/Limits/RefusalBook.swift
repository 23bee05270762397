import Operations
import PermModel

/// Gives all that the limits refuse one program in a minute one name, so that the journal sums a flood up in one line,
/// however many names it asks under.
final class RefusalBook: Sendable {
  private struct Key: Hashable {
    var asker: RequestLimits.Asker
    var reason: String
  }

  private struct First {
    var answer: AutomaticAnswer
    var at: Duration
  }

  private let firsts = Lock<[Key: First]>([:])

  /// The first of the minute, which stands for this one too.
  func sum(_ answer: AutomaticAnswer, at now: Duration) -> AutomaticAnswer {
    let key = Key(asker: RequestLimits.Asker(answer.subject), reason: answer.reason)
    return firsts.withLock { firsts in
      if let first = firsts[key], now - first.at < .seconds(60) { return first.answer }
      // As many as ask within a minute.
      firsts = firsts.filter { now - $0.value.at < .seconds(60) }
      firsts[key] = First(answer: answer, at: now)
      return answer
    }
  }
}
