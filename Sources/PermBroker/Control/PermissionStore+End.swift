import PermModel

extension PermissionStore {
  /// Returns the outcome of a request as it is reported to the program. An answer allows the request only if
  /// everything that was asked for is allowed.
  func end<Status>(
    of request: Request, _ outcome: Authorization<Status>, isMet: Bool, _ definition: CapabilityDefinition,
    under policy: MachinePolicy
  ) -> RequestEnd {
    if case .unavailable(let why) = outcome.availability { return .unavailable(reason: "\(why)") }
    var answer = outcome.end.answer ?? GivenAnswer(.deny, at: environment.now().wall)
    answer.verdict = isMet ? .allow : .deny
    if isMet {
      answer.reason = request.exception
    } else if let judgement = try? judgement(on: request, definition, under: policy) {
      answer.reason = judgement.refusal(note: answer.reason)
    }
    switch outcome.end {
    case .muted: answer.reason = "muted"
    case .known: answer.isKept = true
    case .asked(.answered): break
    case .asked(let end): return end
    }
    return .answered(answer)
  }
}

extension Request {
  /// The exception to an allow of a folder, or of everything, in words; `nil` if there is none.
  fileprivate var exception: String? {
    let isWide = atoms.contains { atom in
      guard atom.writesFiles else { return false }
      if case .path = atom.scope { return false }
      return true
    }
    return isWide ? "but the protected names in it: each of them is asked about by itself" : nil
  }
}
