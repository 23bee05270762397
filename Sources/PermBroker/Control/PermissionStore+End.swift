import PermModel

extension PermissionStore {
  /// Returns the outcome of a request as it is reported to the program. An answer allows the request only if
  /// everything that was asked for is allowed.
  func end<Status>(
    of request: Request, _ outcome: Authorization<Status>, isMet: Bool, _ definition: CapabilityDefinition
  ) -> RequestEnd {
    if case .unavailable(let why) = outcome.availability { return .unavailable(reason: "\(why)") }
    var answer = outcome.end.answer ?? GivenAnswer(.deny, at: environment.now().wall)
    answer.verdict = isMet ? .allow : .deny
    answer.reason = isMet ? request.exception : refusal(of: request, definition, note: answer.reason)
    switch outcome.end {
    case .muted: answer.reason = "muted"
    case .known, .asked(.answered): break
    case .asked(let end): return end
    }
    return .answered(answer)
  }

  /// Returns the reason why the request is not fully allowed; `nil` if the denial needs no explanation.
  ///
  /// - Parameter note: The note with which a person answered.
  private func refusal(of request: Request, _ definition: CapabilityDefinition, note: String?) -> String? {
    let found = try? standing(
      of: request.subject, capability: request.capability, asking: request.facts.needed(for: request.atoms))
    guard let standing = found else { return note }
    if standing.suspension != nil { return "all allows are suspended" }
    let decided = DecidedAtoms(definition, standing: standing, facts: request.facts)
    if let reason = decided.denialInside(request.atoms) { return reason }
    if let note { return note }
    let allowed = standing.allowed.map(\.description).sorted()
    return allowed.isEmpty ? nil : "only \(allowed.joined(separator: ", ")) is allowed"
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
