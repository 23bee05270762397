import PermModel

struct JournalRow: Identifiable, Hashable, Sendable {
  /// The number that the store assigned; later rows have greater numbers.
  var id: Int64
  var at: Timestamp
  /// The event as one word: `asked`, `allowed`, `denied`, `forgot`, …
  var kind: String
  /// The name of the program that the event concerns; empty if none. Untrusted text from another program.
  var program: String
  /// The program that the event concerns, as a key for lookups; `nil` if none.
  var subject: Subject?
  /// The capability and its parts, for example `photos: read`; empty if the event concerns no capability.
  var what: String
  /// The author of the event, and other details. Might contain untrusted text from another program.
  var detail: String
}

extension JournalRow {
  /// - Parameter own: The origin of changes made in this dashboard.
  init(_ entry: JournalEntry, catalogue: CapabilityCatalogue, own: Origin) {
    let definition = entry.capability.flatMap { catalogue[$0]?.definition }
    let what = definition?.shownReference(for: entry.atoms) ?? entry.capability ?? ""
    self.init(
      id: entry.id, at: entry.lastAt ?? entry.at, kind: Self.words(entry),
      program: entry.subject?.name ?? "", subject: entry.subject,
      what: what == Atom.everything.capability ? Atom.wordForEverything : what,
      detail: Self.detail(entry, own: own))
  }

  private static func words(_ entry: JournalEntry) -> String {
    switch entry.kind {
    case .answered: (entry.verdict ?? .deny).past
    case .decided where entry.atoms == [.everything]: "muted"
    case .decided: "\((entry.verdict ?? .deny).past), kept"
    case .automatic: "\((entry.verdict ?? .deny).past) unasked"
    case .setAside: "set aside"
    case .timedOut: "gave up"
    case .forgotten: "forgot"
    case .suspended: "panic"
    case .resumed: "panic lifted"
    case .refused: "refused"
    case .notifyFailed: "notify failed"
    case .asked, .shown, .reopened, .dismissed, .withdrawn, .expired, .bound, .undone, .redone, .imported,
      .restored:
      entry.kind.rawValue
    }
  }

  private static func detail(_ entry: JournalEntry, own: Origin) -> String {
    let times = entry.count > 1 ? "\(entry.count) times" : nil
    // An automatic answer is not one that the person gave, so it names no author here.
    let isOwn = entry.origin == own
    let author = isOwn && entry.kind == .automatic ? nil : isOwn ? "you, here" : entry.origin?.otherNoun
    return [author, times, entry.text].compactMap(\.self).joined(separator: "; ")
  }
}
