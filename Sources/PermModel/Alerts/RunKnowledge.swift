/// Facts about a run behind walls that are not in its request: its start, and the number of decisions that end with it. The
/// dashboard finds them out by itself, for the line *Run* of an alert.
package struct RunKnowledge: Hashable, Sendable {
  /// The numbers of values that are allowed and denied until the run ends.
  package struct Kept: Hashable, Sendable {
    package var allowed = 0
    package var denied = 0

    package init(allowed: Int = 0, denied: Int = 0) { (self.allowed, self.denied) = (allowed, denied) }
  }

  /// The start of the run; `nil` if it is not known.
  package var since: Timestamp?
  /// The numbers of values that are decided until the run ends; `nil` if the decisions have not been read.
  package var kept: Kept?

  package init(since: Timestamp? = nil, kept: Kept? = nil) { (self.since, self.kept) = (since, kept) }
}

extension RunKnowledge.Kept {
  /// The numbers in words, for example `2 allowed and 1 denied`.
  var words: String {
    if allowed + denied == 0 { return "nothing is kept" }
    return [allowed > 0 ? "\(allowed) allowed" : nil, denied > 0 ? "\(denied) denied" : nil]
      .compactMap(\.self).joined(separator: " and ")
  }
}
