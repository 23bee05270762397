extension Judgement {
  /// The reason why lines must be asked about although they run behind walls, in words that can follow "because"; `nil` if
  /// they need no question there.
  package var reasonToAskBehindWalls: String? {
    if let reason = decided.facts.onceReason { return reason }
    if let denied = decided.deniedPerhaps(in: atoms) {
      return "it may contain what you denied: \(denied.text)"
    }
    guard atoms.allSatisfy(\.staysBehindWalls) else { return "such a line is asked about each time" }
    return nil
  }
}

extension Atom {
  /// Whether an atom is a line that is not always asked about.
  fileprivate var staysBehindWalls: Bool {
    guard case .command(let line) = scope else { return false }
    return !ShellLine(line).isAlwaysAsked && PossibleLine(line).reach != .beyond
  }
}
