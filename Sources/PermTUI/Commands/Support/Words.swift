import Machine
import PermModel

extension Decision {
  /// Returns one line that describes the decision in full, including its last use and its note.
  func sentence(in context: CommandContext) -> String {
    let what = context.console.visible(written: context.catalogue.shown(atom))
    let used = lastUsed.map { ", last used \($0.local)" } ?? ""
    let note = note.map { ", \"\(context.console.visible($0))\"" } ?? ""
    let who = context.console.visible(origin.phrase)
    return "\(what) \(past) \(lifetime.words), decided \(decidedAt.local) \(who)\(used)\(note)"
  }
}

extension Lifetime {
  /// The lifetime in words that can end a sentence, for example `forever` or `until 2026-12-24 18:00`.
  var words: String { words(\.local) }
}

extension Timestamp {
  /// The date and time in the local time zone, to the minute.
  var local: String {
    let local = LocalTime(self)
    return "\(local.date) \(local.time)"
  }
}

extension Verdict {
  var role: Style.Role { self == .allow ? .allowed : .denied }
}

extension JournalEntry {
  private static let kindWidth = 9

  /// Returns one line that describes the entry: its time, kind, program, requirement and outcome, and who caused it.
  func sentence(in context: CommandContext) -> String {
    let visible = context.console.visible(_:) as (String) -> String
    let local = LocalTime(at)
    let padding = String(repeating: " ", count: max(0, Self.kindWidth - kind.rawValue.count))
    let facts = [
      topic(in: context), outcome, (origin?.phrase).map(visible), text.map { "\"\(visible($0))\"" },
      decision.map { "because of \(context.console.visible(written: context.catalogue.shown($0.atom)))" },
      repeats,
    ]
    let rest = facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(local.date) \(local.timeWithSeconds)  \(kind.rawValue)\(padding)  \(rest)"
  }

  private func topic(in context: CommandContext) -> String {
    let console = context.console
    // An entry that counts several answers has the values of all of them, as far as there is room.
    let shown = values.isEmpty ? atoms.sorted() : values
    let texts = shown.map { console.visible(written: context.catalogue.shown($0)) }
    let what = shown.isEmpty ? capability.map { console.visible($0) } : texts.joined(separator: " ")
    return [subject.map { console.visible($0.name) }, what].compactMap(\.self).joined(separator: ": ")
  }

  private var outcome: String? {
    if let after { return "\(after.past) \(after.lifetime.words)" }
    if let before { return "was \(before.past)" }
    return verdict?.past
  }

  private var repeats: String? {
    guard count > 1, let lastAt else { return nil }
    return "\(count) times until \(LocalTime(lastAt).timeWithSeconds)"
  }
}
