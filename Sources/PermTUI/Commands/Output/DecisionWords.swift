import Machine
import PermModel

extension Decision {
  /// The decision in one line, with everything known about it.
  var sentence: String {
    let used = lastUsed.map { ", last used \($0.local)" } ?? ""
    let note = note.map { ", \"\($0)\"" } ?? ""
    return
      "\(atom) \(verdict.past) \(lifetime.words), decided \(decidedAt.local) \(origin.phrase)\(used)\(note)"
  }
}

extension Lifetime {
  /// The lifetime as the end of a sentence: `forever`, `until 2026-12-24 18:00`.
  var words: String { words(\.local) }
}

extension Timestamp {
  /// The moment in local time, to the minute.
  var local: String {
    let local = LocalTime(self)
    return "\(local.date) \(local.time)"
  }
}

extension Verdict {
  var role: Style.Role { self == .allow ? .allowed : .denied }
}
