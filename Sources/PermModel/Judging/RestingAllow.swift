// Allows that rest: they have no effect while a program may write the files in a folder that a line runs.

extension Atom {
  /// Whether an allow of this atom has no effect while any program may write in the agent's folder. Exactly one line, until
  /// log-out at most, is allowed for that very case.
  package func restsWhileWritten(endsWithSession: Bool) -> Bool {
    if case .command(let line) = scope { return !endsWithSession && PossibleLine(line).runsFolder }
    return runsFolder
  }
}

extension Lifetime {
  /// Whether it is certain to end with the session at the latest.
  package var endsWithSession: Bool {
    switch self {
    case .process, .session: true
    case .until, .forever: false
    }
  }
}
