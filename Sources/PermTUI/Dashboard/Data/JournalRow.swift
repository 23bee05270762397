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
  /// The value or capability that the event concerns, for example `$ npm test` or `photos:read`; empty if it
  /// concerns no capability.
  var what: String
  /// All that it is about, in the same words, if it is more than one thing.
  var values: [String] = []
  /// The author of the event, and other details. Might contain untrusted text from another program.
  var detail: String

  /// The text in which a filter searches.
  var searchText: String { "\(kind) \(program) \(what) \(detail)" }
}

extension JournalRow {
  /// - Parameter own: The origin of changes made in this dashboard.
  init(_ entry: JournalEntry, catalogue: CapabilityCatalogue, own: Origin) {
    let atoms = entry.values.isEmpty ? entry.atoms.sorted() : entry.values
    let words = Self.words(atoms, entry, catalogue)
    let what = words.count > 1 ? "\(words[0]), and \(words.count - 1) more" : words.first ?? ""
    self.init(
      id: entry.id, at: entry.lastAt ?? entry.at, kind: Self.words(entry),
      program: entry.subject?.name ?? "", subject: entry.subject,
      what: what, values: words.count > 1 ? words : [],
      detail: Self.detail(entry, catalogue, own: own))
  }

  /// Returns what the entry is about: each value by itself, and parts without values together.
  private static func words(
    _ atoms: [Atom], _ entry: JournalEntry, _ catalogue: CapabilityCatalogue
  ) -> [String] {
    let values = atoms.filter { $0.scope != .any || $0 == .everything }
    if !values.isEmpty { return values.map { $0.valueWords(in: catalogue) } }
    let definition = entry.capability.flatMap { catalogue[$0]?.definition }
    return [definition?.shownReference(for: entry.atoms) ?? entry.capability].compactMap(\.self)
  }

  private static func words(_ entry: JournalEntry) -> String {
    switch entry.kind {
    case .answered: (entry.verdict ?? .deny).past
    case .decided where entry.atoms == [.everything]: "muted"
    case .decided: "\((entry.verdict ?? .deny).past), kept"
    case .automatic: "\((entry.verdict ?? .deny).past) by a rule"
    case .setAside: "set aside"
    case .timedOut: "gave up"
    case .forgotten: "forgot"
    case .suspended: "panic"
    case .resumed: "panic lifted"
    case .refused: "refused"
    case .notifyFailed: "notify failed"
    case .used: entry.text ?? JournalEntry.done
    case .desktop, .asked, .shown, .reopened, .dismissed, .withdrawn, .expired, .bound, .undone, .redone,
      .imported,
      .restored:
      entry.kind.rawValue
    }
  }

  private static func detail(
    _ entry: JournalEntry, _ catalogue: CapabilityCatalogue, own: Origin
  ) -> String {
    let times = entry.count > 1 ? "\(entry.count) times" : nil
    // An automatic answer is not one that the person gave, so it names no author here.
    let isOwn = entry.origin == own
    let author = isOwn && entry.kind == .automatic ? nil : isOwn ? "you, here" : entry.origin?.journalNoun
    let decision = entry.decision.map { "because of \($0.atom.valueWords(in: catalogue))" }
    return [author, times, entry.text, decision].compactMap(\.self).joined(separator: "; ")
  }
}
