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
    func names(_ statuses: Set<PairStatus>) -> String {
      desk.names(of: decided.filter { statuses.contains($0.status) }.map(\.capability))
    }
    awaited = desk.names(of: status.awaited)
    allowed = names([.allowed, .mixed])
    suspended = names([.suspended])
    denied = names([.denied, .mixed])
    mute = status.mute.map { $0.lifetime.words(desk.short) }
  }
}

extension Desk {
  fileprivate func names(of capabilities: [String]) -> String {
    visible(capabilities.map { name(ofCapability: $0) }.joined(separator: ", "))
  }
}
