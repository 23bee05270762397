import ArgumentParser
import PermModel

/// The lifetime of an answer, as a person types it after `--for`.
enum LifetimeArgument {
  private static let named: KeyValuePairs<String, LifetimeChoice> = [
    "once": .once, "process": .process, "session": .session, "forever": .forever,
  ]
  static var words: [String] { named.map(\.key) }
  static let help = "once, process, session, forever, 10m, 8h, or a date as in 2026-12-24T18:00."

  /// - Throws: A `ValidationError` that says what is wrong with `text`, or what was probably meant.
  static func parse(_ text: String) throws(ValidationError) -> LifetimeChoice {
    if let choice = named.first(where: { $0.key == text })?.value { return choice }
    if let duration = try DurationArgument.parse(text) { return .duration(duration) }
    if let moment = try MomentArgument.parse(text) { return .until(moment) }
    if let word = text.nearest(in: words) {
      throw ValidationError("did you mean '\(word)'?")
    }
    throw ValidationError("'\(text)' is not a lifetime; use \(help)")
  }
}

/// A duration as people type it: `30s`, `10m`, `8h`, `2d` or `1w`, or several of these together, such as `1h30m`.
enum DurationArgument {
  private static let secondsPerUnit: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  private static let longest = LifetimeChoice.longest.components.seconds

  /// Returns the duration that `text` names; `nil` if `text` does not look like a duration.
  ///
  /// - Throws: `ValidationError` if the duration is zero or longer than a hundred years.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    guard let seconds = seconds(in: text) else { return nil }
    guard seconds > 0 else { throw ValidationError("it must be greater than zero") }
    guard seconds <= longest else { throw ValidationError("that is longer than 100 years") }
    return .seconds(seconds)
  }

  private static func seconds(in text: String) -> Int64? {
    guard text.first?.isASCIIDigit == true, text.last?.isASCIIDigit == false else { return nil }
    var total: Int64 = 0
    var number: Int64 = 0
    var digits = 0
    for character in text {
      if let digit = character.wholeNumberValue, character.isASCIIDigit {
        digits += 1
        number = min(number * 10 + Int64(digit), longest + 1)
      } else if digits > 0, let unit = secondsPerUnit[character] {
        total = min(total + number * unit, longest + 1)
        (number, digits) = (0, 0)
      } else {
        return nil
      }
    }
    return total
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
