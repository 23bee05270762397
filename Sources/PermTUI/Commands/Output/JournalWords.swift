import Machine
import PermModel

/// The journal as lines that a person reads.
enum JournalWords {
  private static let kindWidth = 9

  /// Returns one line: the time, the kind of entry, the program and the requirement, and the outcome.
  static func line(_ entry: JournalEntry) -> String {
    let local = LocalTime(entry.at)
    let kind = entry.kind.rawValue
    let padding = String(repeating: " ", count: max(0, kindWidth - kind.count))
    let facts = [
      topic(entry), outcome(entry), entry.origin?.phrase, quotedText(entry), repeats(entry),
    ]
    let rest = facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(local.date) \(local.timeWithSeconds)  \(kind)\(padding)  \(rest)"
  }

  private static func topic(_ entry: JournalEntry) -> String? {
    let what =
      entry.atoms.isEmpty
      ? entry.capability : entry.atoms.map(\.description).sorted().joined(separator: " ")
    switch (entry.subject?.label, what) {
    case (let who?, let what?): return "\(who): \(what)"
    case (let who, let what): return who ?? what
    }
  }

  private static func outcome(_ entry: JournalEntry) -> String? {
    if let after = entry.after { return "\(after.verdict.past) \(after.lifetime.words)" }
    if let before = entry.before { return "was \(before.verdict.past)" }
    return entry.verdict?.past
  }

  private static func quotedText(_ entry: JournalEntry) -> String? { entry.text.map { "\"\($0)\"" } }

  private static func repeats(_ entry: JournalEntry) -> String? {
    guard entry.count > 1, let last = entry.lastAt else { return nil }
    return "\(entry.count) times until \(LocalTime(last).timeWithSeconds)"
  }
}
