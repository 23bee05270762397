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
