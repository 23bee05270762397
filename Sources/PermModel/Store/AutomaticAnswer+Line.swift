extension AutomaticAnswer {
  /// The properties that answers have in common if they are counted in one line of the journal.
  struct Line: Hashable, Sendable {
    var subject: Subject
    var kind: JournalEntry.Kind
    var verdict: Verdict
    var capability: String?
    var reason: String
    var basis: Atom?
  }

  var line: Line {
    Line(
      subject: verdict == .allow ? subject : subject.underAnyName, kind: kind, verdict: verdict,
      capability: capability, reason: reason, basis: basis?.atom)
  }
}

extension AutomaticAnswer.Line {
  /// A number by which the store recognizes the line.
  var number: Int64 {
    var bytes = CanonicalBytes()
    for text in [subject.label, subject.programText, kind.rawValue, verdict.rawValue, reason] {
      bytes.add(text)
    }
    bytes.add(capability)
    bytes.add(Set(basis.map { [$0] } ?? []))
    return SHA256.digest(of: bytes.bytes).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension Subject {
  /// The subject without what a program can change to be counted as another one: its label, and the path of its file.
  fileprivate var underAnyName: Subject {
    var subject = self
    subject.label = ""
    if file != nil { subject.path = nil }
    return path == nil && file == nil ? Subject(label: "") : subject
  }
}
