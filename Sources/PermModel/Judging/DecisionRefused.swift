/// The reason why a decision cannot be made, or would have no effect.
package enum DecisionRefused: Error, Hashable, Sendable {
  case namesNothing
  /// A lifetime that belongs to a request or a process, although there is none.
  case needsRequest
  case hasPassed
  case everyoneIsOnlyDenied
  case everyoneIsMutedByPanic
  case everyoneIsInEveryFolder
  case noFolder(String)
  /// A program's name that cannot be shown, with the reason.
  case unfitName(reason: String)
  case neverAllowedBeforehand(String, reason: String)
  case allowedTooLong(String, reason: String)
  case protectedFolder(String)
  case needsFolder(String)
  case forbiddenByPolicy(String)
  /// A denial in the way, with the reference to what it denies.
  case denied(Decision, String)
}

extension DecisionRefused: CustomStringConvertible {
  package var description: String {
    switch self {
    case .namesNothing: "name at least one capability"
    case .needsRequest: "there is no request and no process to tie the decision to"
    case .hasPassed: "that moment has passed"
    case .everyoneIsOnlyDenied: "everyone can only be denied; name a program"
    case .everyoneIsMutedByPanic: "everyone is muted by a panic: permtui panic"
    case .everyoneIsInEveryFolder: "a denial for everyone holds in every folder"
    case .noFolder(let path): "there is no folder \(path)"
    case .unfitName(let reason): reason
    case .neverAllowedBeforehand(let what, let reason):
      "\(what) cannot be allowed beforehand, because \(reason)"
    case .allowedTooLong(let what, let reason):
      "\(what) can be allowed until you log out at most, because \(reason)"
    case .protectedFolder(let what):
      "\(what) is protected, so a folder has no effect there; name each file"
    case .needsFolder(let what):
      "\(what) means something in one folder only; add --in FOLDER to say in which"
    case .forbiddenByPolicy(let what):
      "the policy of this machine forbids \(what), so this would have no effect"
    case .denied(let denial, let what): Self.obstruction(denial, what)
    }
  }

  /// Says that a denial keeps an allow from having an effect, and how to lift it.
  private static func obstruction(_ denial: Decision, _ what: String) -> String {
    let program = denial.subject.isEveryone ? "everyone" : denial.subject.label
    let denied = denial.subject.isEveryone ? "denied for everyone" : "denied"
    return "\(what) is \(denied), so this would have no effect; permtui forget \(program) \(what) lifts that"
  }
}

extension LifetimeChoice {
  /// Checks that the lifetime does not end in the past.
  package func checkAhead(of now: Timestamp) throws(DecisionRefused) {
    if case .until(let moment) = self, moment <= now { throw .hasPassed }
  }

  /// Checks that a decision can be kept for this time without a request.
  package func checkBeforehand(at now: Timestamp) throws(DecisionRefused) {
    if self == .once || self == .process { throw .needsRequest }
    try checkAhead(of: now)
  }
}
