import Machine
import PermModel

extension Report {
  /// Reports the mistakes in the configuration, as far as one line has room; `nil` if there are none. The file is named
  /// without its folder, so that the key is in sight.
  init?(_ problems: [ConfigurationProblem]) {
    guard var first = problems.first else { return nil }
    first.file = first.file.lastPathPart
    let more = problems.count > 1 ? " (and \(problems.count - 1) more: permtui doctor)" : ""
    self.init(text: "\(first)\(more)", isError: true)
  }
}

extension Report {
  /// Reports a refused attempt to change something; `nil` for other entries of the journal.
  init?(refused entry: JournalEntry) {
    guard entry.kind == .refused, let subject = entry.subject, let text = entry.text else { return nil }
    self.init(text: "\"\(VisibleText.escaped(subject.label))\" \(text), and was refused", isError: true)
  }
}
