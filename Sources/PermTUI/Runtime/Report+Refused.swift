import PermModel

extension Report {
  /// Reports a refused attempt to change something; `nil` for other entries of the journal.
  init?(refused entry: JournalEntry) {
    guard entry.kind == .refused, let subject = entry.subject, let text = entry.text else { return nil }
    self.init(text: "\"\(VisibleText.escaped(subject.label))\" \(text), and was refused", isError: true)
  }
}
