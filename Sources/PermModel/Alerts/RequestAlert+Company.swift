extension RequestAlert {
  /// What is doubtful about the program's name or about which program asks, in words.
  package var doubts: [String] { request.doubts(identity) }
}

extension Request {
  /// One line that names it in a list, for example `photos for thumbs`. Foreign text.
  package var summary: String { "\(capability) for \(VisibleText.framed(subject.label))" }

  /// What is doubtful about the program's name or about which program asks, in words.
  package func doubts(_ identity: IdentityCheck) -> [String] {
    var doubts = [LookAlikes.doubt(about: subject.label), evidence?.doubt].compactMap { $0 }
    if case .lookAlike(let known) = identity {
      doubts.insert("its name looks like \(known), which you know", at: 0)
    }
    return doubts
  }
}

extension AnswerReach {
  /// Counts the requests that a kept answer to an alert would settle, of those that wait for the same program and
  /// capability.
  ///
  /// - Parameters:
  ///   - others: What is asked beside the alert, and how many times.
  ///   - decided: What holds now.
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
