/// What stands for the program's own drawing characters where the terminal cannot show them. Each is one cell, like
/// the character it stands for, so no layout changes.
enum ASCIIFallback {
  /// The character to draw instead of `character`, or `?` for text that should have been escaped before.
  static func character(for character: Character) -> Character {
    standIn(for: character) ?? "?"
  }

  /// What stands for a drawing character of the program; `nil` for all other text.
  static func standIn(for character: Character) -> Character? { table[character] }

  private static let table: [Character: Character] = [
    "─": "-", "━": "=", "│": "|", "┃": "|",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+",
    "●": "*", "○": "o", "◐": "%", "✕": "x", "✗": "x", "✓": "v", "•": "*", "·": ".",
    "–": "-", "—": "-", "…": "~", "›": ">", "‹": "<", "→": ">", "←": "<", "↑": "^", "↓": "v",
    "▲": "^", "▼": "v", "█": "#", "░": ".", "“": "\"", "”": "\"", "‘": "'", "’": "'", "×": "x", "µ": "u",
  ]
}
