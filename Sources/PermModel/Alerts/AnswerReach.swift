/// The number of other waiting requests that a kept answer to an alert would also settle, for each verdict. The numbers
/// are calculated once, when the alert is shown.
package struct AnswerReach: Hashable, Sendable, Codable {
  package var allow: Int
  package var deny: Int

  package init(allow: Int = 0, deny: Int = 0) {
    self.allow = allow
    self.deny = deny
  }
}

/// Other waiting requests of the same program for the same capability. They ask for the same, and the same facts are
/// known about them.
package struct RequestsBeside: Sendable {
  package var atoms: Set<Atom>
  /// The decisions that are currently in force, with the facts about the values of these requests.
  package var decided: DecidedAtoms
  package var count: Int

  package init(_ judgement: Judgement, count: Int) {
    (atoms, decided) = (judgement.atoms, judgement.decided)
    self.count = count
  }

  /// Whether a kept answer would decide everything that these requests ask for, by the judgement that the decision from
  /// it gets later.
  fileprivate func areSettled(by answer: ReachingAnswer, at moment: Timestamp) -> Bool {
    let kept = decided.answering(
      answer.verdict, answer.atoms, at: moment, isKept: true, for: answer.lifetime)
    return kept.atoms(atoms, in: [.undecided]).isEmpty
  }
}

/// An answer that a person could keep.
private struct ReachingAnswer {
  var verdict: Verdict
  var atoms: Set<Atom>
  var lifetime: LifetimeChoice
}

extension RequestAlert {
  /// Counts the other waiting requests that a kept answer would also settle, for each scope that an answer can cover.
  package mutating func countReach(among others: [RequestsBeside], at moment: Timestamp) {
    func count(_ cover: Int, _ verdict: Verdict) -> Int {
      guard let answer = longestAnswer(verdict, cover) else { return 0 }
      return others.filter { $0.areSettled(by: answer, at: moment) }.map(\.count).reduce(0, +)
    }
    func reach(_ cover: Int) -> AnswerReach {
      AnswerReach(allow: count(cover, .allow), deny: count(cover, .deny))
    }
    self.reach = reach(0)
    for cover in covers.indices.dropFirst() { covers[cover].reach = reach(cover) }
  }

  /// Returns the answer that is kept for as long as it can be; `nil` if it cannot be kept. An allow that has an effect only
  /// until log-out cannot be kept for longer.
  private func longestAnswer(_ verdict: Verdict, _ cover: Int) -> ReachingAnswer? {
    let lifetimes = lifetimes(cover: cover).filter {
      $0.choice != .once && $0.reason(against: verdict) == nil
    }
    return lifetimes.map(\.choice).max { $0.rank < $1.rank }.map {
      ReachingAnswer(verdict: verdict, atoms: atoms(choice: 0, cover: cover), lifetime: $0)
    }
  }

  /// Returns the number of other requests that a kept answer would also settle; `nil` if they were not counted.
  ///
  /// - Parameter cover: The index of the chosen scope in ``covers``.
  package func reach(cover: Int) -> AnswerReach? {
    if cover == 0 { return reach }
    return covers.indices.contains(cover) ? covers[cover].reach : nil
  }
}
