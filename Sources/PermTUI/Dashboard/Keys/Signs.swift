extension HelpLine {
  /// The signs in the lists, with their meanings.
  static let signs: [HelpLine] = [
    HelpLine(keys: "●", text: "allowed"),
    HelpLine(keys: "✕", text: "denied"),
    HelpLine(keys: "◐", text: "only some of it is allowed or denied"),
    HelpLine(keys: "‖", text: "suspended by the panic"),
    HelpLine(keys: "?", text: "waits for an answer"),
    HelpLine(keys: "○", text: "not decided, or no longer"),
    HelpLine(keys: "–", text: "not on this machine"),
    HelpLine(keys: "·", text: "in the matrix: not decided"),
    HelpLine(keys: "·✕", text: "in the matrix: not decided, but some of it is denied"),
    HelpLine(keys: "!", text: "before a name: changed elsewhere, and not seen yet; before words: a warning"),
    HelpLine(keys: "*", text: "before a name: just changed here"),
    HelpLine(keys: "+", text: "before a name: marked, to be answered with others"),
    HelpLine(keys: "▲ ▼", text: "sorted by this column, the smallest or the greatest first"),
  ]
}
