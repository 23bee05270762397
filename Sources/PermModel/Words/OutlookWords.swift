extension Outlook.Cause {
  /// The cause as a main clause.
  ///
  /// - Parameter moment: Formats times.
  package func words(_ moment: (Timestamp) -> String) -> String {
    switch self {
    case .policy: "the policy of this machine forbids it"
    case .panic(let since): "all allows have been suspended since \(moment(since))"
    case .decision: "it was decided"
    case .needsNone: "it needs no permission"
    case .mute(let lifetime): "the program is muted \(lifetime.words(moment))"
    case .partlyUndecided: "only a part of it is decided"
    case .undecided: "nothing is decided"
    }
  }
}

extension DecidedAtoms.HeldBack {
  /// The allow and the reason why it has no effect, as two clauses about atoms that are asked for.
  func words(asking atoms: Set<Atom>, _ facts: ValueFacts) -> String {
    let what =
      switch decision.atom.scope {
      case _ where atoms.contains(decision.atom): "this"
      case .any: "all of it"
      case let scope: VisibleText.brief(scope.shownText())
      }
    let why = obstacle == .alwaysAsked ? facts.onceReason.map { ", because \($0)" } ?? "" : ""
    return "\(what) was allowed, but \(obstacle.words)\(why)"
  }
}

extension DecidedAtoms.Obstacle {
  /// The obstacle as a main clause.
  package var words: String {
    switch self {
    case .alwaysAsked: "this is asked about each time"
    case .protectedName: "no wider scope covers writing to a protected name"
    case .protectedFolder: "a protected folder is not allowed as a whole"
    case .doubt: "it is not certain which file is meant"
    case .openProgram: "the script chooses which program that is"
    case .rests(let writer): "it rests while \(writer) may write in this folder"
    case .filling:
      "a word in a hole is not a file that it may read, or leads out of its folder"
    case .formConditions(let reason):
      "the conditions of that form do not hold here" + (reason.map { ", because \($0)" } ?? "")
    case .mayContain(let scope): "it may contain what was denied: \(scope.commandWords)"
    case .severalNames: "the file has several names, and could be a protected one"
    }
  }
}
