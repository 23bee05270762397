extension RequestAlert {
  /// The doubts about the program's name or about which program asks, in words.
  package var doubts: [String] { request.doubts(identity) }
}

extension Request {
  /// One line that names the request in a list, for example `photos for thumbs`. Foreign text.
  package var summary: String { "\(capability) for \(VisibleText.framed(subject.label))" }

  /// Returns the doubts about the program's name or about which program asks, in words.
  package func doubts(_ identity: IdentityCheck) -> [String] {
    var doubts = [LookAlikes.doubt(about: subject.label), evidence?.doubt].compactMap { $0 }
    if case .lookAlike(let known) = identity {
      doubts.insert("its name looks like \(known), which you know", at: 0)
    }
    return doubts
  }
}

extension AnswerReach {
  /// Counts the waiting requests of the same program and capability that a kept answer to an alert would settle.
  ///
  /// - Parameters:
  ///   - others: The requirements asked for beside the alert, and the number of requests for each.
  ///   - decided: The decisions in force now.
  package init(
    of alert: RequestAlert, among others: [(atoms: Set<Atom>, count: Int)], _ decided: DecidedAtoms,
    at moment: Timestamp
  ) {
    func count(_ verdict: Verdict) -> Int {
      let kept = decided.answering(verdict, alert.choices[0].atoms, at: moment)
      return others.filter { kept.atoms($0.atoms, in: [.undecided]).isEmpty }.map(\.count).reduce(0, +)
    }
    self.init(allow: count(.allow), deny: count(.deny))
  }
}
