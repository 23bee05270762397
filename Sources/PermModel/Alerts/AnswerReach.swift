/// The number of other waiting requests that a kept answer to an alert would also settle, for each verdict. The numbers
/// are calculated once, when the alert is shown.
package struct AnswerReach: Hashable, Sendable {
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

  /// Whether a kept answer would decide everything that these requests ask for.
  fileprivate func areSettled(by verdict: Verdict, on answered: Set<Atom>, at moment: Timestamp) -> Bool {
    let kept = decided.answering(verdict, answered, at: moment, isKept: true)
    return kept.atoms(atoms, in: [.undecided]).isEmpty
  }
}

extension AnswerReach {
  fileprivate init(of answered: Set<Atom>, among others: [RequestsBeside], at moment: Timestamp) {
    func count(_ verdict: Verdict) -> Int {
      others.filter { $0.areSettled(by: verdict, on: answered, at: moment) }.map(\.count).reduce(0, +)
    }
    self.init(allow: count(.allow), deny: count(.deny))
  }
}

extension RequestAlert {
  /// Counts the other waiting requests that a kept answer would also settle, for each scope that an answer can cover.
  package mutating func countReach(among others: [RequestsBeside], at moment: Timestamp) {
    func count(_ cover: Int) -> AnswerReach {
      AnswerReach(of: atoms(choice: 0, cover: cover), among: others, at: moment)
    }
    reach = count(0)
    for cover in covers.indices.dropFirst() { covers[cover].reach = count(cover) }
  }

  /// Returns the number of other requests that a kept answer would also settle; `nil` if they were not counted.
  ///
  /// - Parameter cover: The index of the chosen scope in ``covers``.
  package func reach(cover: Int) -> AnswerReach? {
    if cover == 0 { return reach }
    return covers.indices.contains(cover) ? covers[cover].reach : nil
  }
}
