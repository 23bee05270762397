extension RequestAlert {
  /// How many times the same is asked, and by which processes; `nil` where it is asked once.
  package var company: String? {
    guard !joined.isEmpty else { return nil }
    let processes = ([request.evidence?.process] + joined.map(\.process)).compactMap(\.self)
    let pids = processes.map { String($0.pid) }.reduce(into: [String]()) { pids, pid in
      if !pids.contains(pid) { pids.append(pid) }
    }
    let by = pids.isEmpty ? "" : ", by pid\(pids.count == 1 ? "" : "s") \(pids.joinedInWords())"
    return "\(joined.count + 1) times\(by); the answer is for all of them"
  }

  /// What an answer that is kept does beside that; `nil` where nothing else waits.
  package var reachWords: String? {
    if reach == AnswerReach() { return nil }
    if reach.allow == reach.deny { return "if it is kept, your answer answers \(others(reach.allow))" }
    return "if it is kept, a yes answers \(others(reach.allow)), a no \(others(reach.deny))"
  }

  private func others(_ count: Int) -> String {
    switch count {
    case 0: "none"
    case 1: "1 other that waits"
    default: "\(count) others that wait"
    }
  }
}

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
