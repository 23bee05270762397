/// The name of another machine, or of an operator who answers from one. A person gives it, and it is never shortened.
package struct RemoteName: Hashable, Sendable {
  package let text: String

  package enum Refused: Error, Hashable, Sendable, CustomStringConvertible {
    case spelling
    case reserved

    package var description: String {
      switch self {
      case .spelling:
        "a name has 1 to 32 of the characters a-z, 0-9, '.', '_' and '-', and begins with a letter"
      case .reserved: "this name would read like this machine, or like everybody"
      }
    }
  }

  package init(_ text: some StringProtocol) throws(Refused) {
    guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy(Self.isPart),
      text.utf8.first.map(Self.isLetter) == true
    else { throw .spelling }
    self.text = String(text)
    guard !Self.reserved.contains(folded) else { throw .reserved }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-_".utf8.contains(byte)
  }

  /// The names that say nothing about a machine or an operator, folded.
  private static let reserved = Set(
    [
      "this", "thismachine", "thishost", "here", "local", "localhost", "all", "allmachines", "any", "anyone",
      "every", "everyone", "everybody", "everything", "everymachine", "team", "me", "you", "none", "nobody",
      "broker", "command", "dashboard", "operator", "permtui",
    ].map(fold))

  /// The name without what the eye overlooks. Two names that are folded alike could be mistaken for each other.
  package var folded: String { Self.fold(text) }

  private static func fold(_ text: String) -> String {
    var folded = ""
    for character in text {
      switch character {
      case ".", "-", "_": break
      case "0": folded.append("o")
      case "1", "i": folded.append("l")
      case "5": folded.append("s")
      default: folded.append(character)
      }
    }
    return folded.split(separator: "rn", omittingEmptySubsequences: false).joined(separator: "m")
      .split(separator: "vv", omittingEmptySubsequences: false).joined(separator: "w")
  }
}
