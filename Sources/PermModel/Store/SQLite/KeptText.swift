extension Decision {
  /// The decision about its program and atom as one text for the journal: verdict, lifetime, origin, times of decision
  /// and last use, and the note if there is one, each after a tab.
  var keptText: String {
    let lastUsed = lastUsed.map { String($0.microseconds) } ?? ""
    let fields = [
      verdict.rawValue, lifetime.description, origin.description, String(decidedAt.microseconds), lastUsed,
    ]
    return (fields + (note.map { [$0] } ?? [])).joined(separator: "\t")
  }

  init?(_ key: Key, keptText: String) {
    // The note comes last, so it may hold tabs.
    let fields = keptText.split(separator: "\t", maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count >= 5, let verdict = Verdict(rawValue: String(fields[0])),
      let lifetime = Lifetime(String(fields[1])), let origin = Origin(String(fields[2])),
      let decidedAt = Int64(fields[3])
    else { return nil }
    self.init(
      subject: key.subject, atom: key.atom, verdict: verdict, lifetime: lifetime, origin: origin,
      note: fields.count == 6 ? String(fields[5]) : nil, decidedAt: Timestamp(microseconds: decidedAt),
      lastUsed: Int64(fields[4]).map { Timestamp(microseconds: $0) })
  }
}
