import PermModel

/// A person's answer to a request at another place than this dashboard.
struct AnswerElsewhere: Hashable, Sendable {
  /// The time, in microseconds, during which a denial in this dashboard still takes the other answer back.
  static let grace: Int64 = 3_000_000

  var request: Request.ID
  var verdict: Verdict
  var origin: Origin
  var at: Timestamp

  /// Returns the wall-clock time until which a denial takes the answer back; `nil` if the answer is itself a denial.
  var endOfGrace: Timestamp? {
    verdict == .allow ? Timestamp(microseconds: at.microseconds.addingClamped(Self.grace)) : nil
  }

  /// The answer in words, for example `allowed by another dashboard (pid 4711)`.
  var words: String { "\(verdict.past) \(origin.otherPhrase)" }
}

extension Origin {
  /// The origin of a change that was not made in this dashboard, as a noun.
  var otherNoun: String {
    guard case .dashboard = self else { return noun }
    return "another dashboard" + (pid.map { " (pid \($0))" } ?? "")
  }

  /// The origin of a change that was not made in this dashboard, as the journal shows it.
  var journalNoun: String {
    if case .dashboard = self { "you, another screen" } else { noun }
  }

  /// The origin of a change that was not made in this dashboard, as the end of a sentence.
  var otherPhrase: String {
    if case .dashboard = self { "by \(otherNoun)" } else { phrase }
  }
}

extension AnswerElsewhere {
  /// Creates the answer that a journal entry records; `nil` if the entry records no answer, or one of this dashboard.
  init?(_ entry: JournalEntry, dashboardID: String) {
    guard entry.kind == .answered, let request = entry.request, let verdict = entry.verdict,
      let origin = entry.origin, origin != .dashboard(id: dashboardID)
    else { return nil }
    self.init(request: request, verdict: verdict, origin: origin, at: entry.at)
  }
}
