import ArgumentParser
import PermModel

/// How long an answer is to hold, as typed after `--for`.
enum LifetimeArgument {
  /// The words that are lifetimes in themselves, for completion and for suggestions.
  static let words = ["once", "process", "session", "forever"]
  static let help = "once, process, session, forever, 10m, 8h, or a date as in 2026-12-24T18:00."

  /// Reads a lifetime.
  ///
  /// - Throws: `ValidationError` that says what is wrong with it, or what was probably meant.
  static func parse(_ text: String) throws(ValidationError) -> LifetimeChoice {
    switch text {
    case "once": return .once
    case "process": return .process
    case "session": return .session
    case "forever": return .forever
    default: break
    }
    if let duration = try DurationArgument.parse(text) { return .duration(duration) }
    if let moment = try MomentArgument.parse(text) { return .until(moment) }
    if let word = text.nearest(in: words) {
      throw ValidationError("did you mean '\(word)'?")
    }
    throw ValidationError("'\(text)' is not a lifetime; use \(help)")
  }
}
