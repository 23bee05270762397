/// A request that has no answer yet.
package struct WaitingRequest: Hashable, Sendable, Codable, Identifiable {
  package var request: Request
  /// When the person set it aside to answer later; `nil` if it was not set aside.
  package var setAsideAt: Timestamp?
  /// The process whose end withdraws the request: the program, or the process that contains the asking code.
  package var process: ProcessIdentity
  /// The terminal on which its program itself prompts for the answer, for example `pts/2`; `nil` if it does not.
  package var terminal: String?

  package init(
    _ request: Request, process: ProcessIdentity, setAsideAt: Timestamp? = nil, terminal: String? = nil
  ) {
    self.request = request
    self.process = process
    self.setAsideAt = setAsideAt
    self.terminal = terminal
  }

  package var id: Request.ID { request.id }
}

/// The state that a store records for a request's id.
package enum RequestState: Hashable, Sendable {
  case new
  case waiting
  case ended(RequestEnd)
}
