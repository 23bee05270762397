import Testing

@testable import PermTUI

@Suite("The pieces of a text")
struct TextPieceTests {
  private static let alphabet = [
    "a", " ", "~", "\r\n", "\t", "\u{7f}", "é", "日", "–", "…", "→", "─", "●", "✓", "€", "\u{2028}",
    // These join the character before them, or the one after them.
    "\u{301}", "\u{fe0f}", "\u{200d}", "\u{20dd}", "\u{600}", "👨", "🇯", "가", "\u{11a8}",
  ]

  @Test("are its characters, whatever joins them")
  func characters() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...8, using: &random)
      let text = (0..<length).map { _ in Self.alphabet.randomElement(using: &random) ?? "" }.joined()
      #expect(pieces(of: text) == Array(text), "seed \(seed): \(text.debugDescription)")
    }
  }

  private func pieces(of text: String) -> [Character] {
    var result: [Character] = []
    text[...].forEachPiece { piece in
      switch piece {
      case .ascii(let bytes): result += bytes.map { Character(Unicode.Scalar($0)) }
      case .character(let character): result.append(character)
      }
      return true
    }
    return result
  }
}
