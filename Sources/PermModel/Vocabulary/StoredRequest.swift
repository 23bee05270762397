/// A request that has no answer yet.
package struct StoredRequest: Hashable, Sendable, Codable, Identifiable {
  package var request: Request
  /// The time at which the person set the request aside to answer it later; `nil` if it was not set aside.
  package var setAsideAt: Timestamp?
  /// The process of the program, or the process in which the asking code runs. If this process ends, the
  /// request is withdrawn.
  package var process: ProcessIdentity
  /// The terminal, for example `pts/2`, on which the program itself prompts for an answer; `nil` if the
  /// program shows no prompt of its own.
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
