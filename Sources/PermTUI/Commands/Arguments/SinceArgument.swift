import ArgumentParser
import PermModel

/// A moment in the past as typed after `--since`: an age, as in `24h`, or a moment.
enum SinceArgument: Hashable, Sendable {
  case ago(Duration)
  case moment(Timestamp)

  /// Reads an age or a moment.
  ///
  /// - Throws: `ValidationError` that says what is wrong with it.
  static func parse(_ text: String) throws(ValidationError) -> SinceArgument {
    if let duration = try DurationArgument.parse(text) { return .ago(duration) }
    if let moment = try MomentArgument.parse(text) { return .moment(moment) }
    throw ValidationError("say how long ago, as in 24h, or when, as in 2026-12-24T18:00")
  }

  func timestamp(now: Timestamp) -> Timestamp {
    switch self {
    case .ago(let duration): now + (.zero - duration)
    case .moment(let moment): moment
    }
  }
}
