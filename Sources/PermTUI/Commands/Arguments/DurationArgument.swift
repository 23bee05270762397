import ArgumentParser
import PermModel

/// A length of time as people type it: `30s`, `10m`, `8h`, `2d`, `1w`, or several together, as in `1h30m`.
enum DurationArgument {
  private static let secondsPerUnit: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  private static let longest = LifetimeChoice.longest.components.seconds

  /// Returns the duration that `text` names; `nil` if it does not look like one.
  ///
  /// - Throws: `ValidationError` if it is zero or longer than a hundred years.
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
