import PermModel

extension DecisionChange {
  /// The change in a few words: `denied camera for video-chat`. Holds foreign text.
  var words: String {
    guard let entry = entries.first else { return "nothing" }
    let what = entry.capability.map { $0 == "*" ? "everything" : $0 } ?? "something"
    let verb =
      switch entry.kind {
      case .forgotten: "forgot"
      case .imported: "imported"
      default: (entry.verdict ?? .deny).past
      }
    let more = Set(entries.map { [$0.subject?.label, $0.capability] }).count - 1
    let others = more > 0 ? " and \(more) more" : ""
    return "\(verb) \(what) for \(entry.subject?.label ?? "a program")\(others)"
  }
}
