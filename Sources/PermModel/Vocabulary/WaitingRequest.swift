/// A request that has no answer yet.
public struct WaitingRequest: Hashable, Sendable, Codable, Identifiable {
  public var request: Request
  /// When the person set it aside to answer later; `nil` if not.
  public var setAsideAt: Timestamp?
  /// The process whose end withdraws the request: the program, or for asking code inside a process that one.
  public var process: ProcessIdentity
  /// The terminal on which its program asks about it itself, for example `pts/2`; `nil` if it does not.
  public var terminal: String?

  public init(
    _ request: Request, process: ProcessIdentity, setAsideAt: Timestamp? = nil, terminal: String? = nil
  ) {
    self.request = request
    self.process = process
    self.setAsideAt = setAsideAt
    self.terminal = terminal
  }

  public var id: Request.ID { request.id }
}

extension Request {
  /// The reasons to be suspicious of the program that asks, each in a few words; empty if there are none.
  package func warnings(_ identity: IdentityCheck) -> [String] {
    let others = (evidence?.isSandboxed == true ? ["in a sandbox"] : []) + doubts(identity)
    switch identity {
    case .mismatch(let path): return ["NOT \(path), which you know by this name"] + others
    case .replaced: return ["its file was replaced"] + others
    default: return others
    }
  }
}

/// What a store knows about the id of a request.
public enum RequestState: Hashable, Sendable {
  case new
  case waiting
  case ended(RequestEnd)
}
