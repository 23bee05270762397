import PermModel

/// The capabilities that one program waits for, may use and may not use, as lists name them.
struct ProgramSummary {
  let awaited: String
  let allowed: String
  /// The capabilities that the program may use once the panic is over.
  let suspended: String
  let denied: String
  /// The time until which the program is muted, in words; `nil` if it is not.
  let mute: String?

  init(_ program: Subject, on desk: Desk) {
    let status = ProgramStatus(of: program, in: desk.data)
    let decided = status.decided
    // A denial of some values for everyone would be listed for every program, so it is left out.
    func names(_ statuses: Set<PairStatus>, ofSome: Set<PairStatus> = []) -> String {
      let named = decided.filter { capability, found in
        statuses.contains(found) || ofSome.contains(found) && status.rows[capability] != nil
      }
      return desk.names(of: named.map { ($0.capability, ofSome.contains($0.status)) })
    }
    awaited = desk.names(of: status.awaited.map { ($0, false) })
    allowed = names([.allowed], ofSome: [.partlyAllowed, .mixed])
    suspended = names([.suspended])
    denied = names([.denied], ofSome: [.partlyDenied, .mixed])
    mute = status.mute.map { $0.lifetime.words(desk.short) }
  }
}

extension Desk {
  /// Returns the names of the capabilities, with a word for those that are decided for some values only.
  fileprivate func names(of capabilities: [(name: String, isOfSome: Bool)]) -> String {
    var names: [String] = []
    for capability in capabilities {
      let name = name(ofCapability: capability.name) + (capability.isOfSome ? " (some)" : "")
      if !names.contains(name) { names.append(name) }
    }
    return visible(names.joined(separator: ", "))
  }
}
