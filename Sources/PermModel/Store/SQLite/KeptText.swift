extension Decision {
  /// The decision as one string for the journal, without its program and atom. The string consists of the verdict,
  /// lifetime, origin, time of the decision, time of the last use and, if there is one, the note, separated by tabs.
  var keptText: String {
    let lastUsed = lastUsed.map { String($0.microseconds) } ?? ""
    let fields = [
      verdict.rawValue, lifetime.description, origin.description, String(decidedAt.microseconds), lastUsed,
    ]
    return (fields + (note.map { [$0] } ?? [])).joined(separator: "\t")
  }

  init?(_ key: Key, keptText: String) {
    // The note is the last field, so it can contain tabs.
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
