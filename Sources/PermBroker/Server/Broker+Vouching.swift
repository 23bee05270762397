import Machine
import PermModel

// The method through which a program asks on behalf of another one, whose identity it knows better than the broker can.

extension Broker {
  func addVouchingMethods(to router: inout CallRouter) {
    router.add(Methods.RequestFor.self) { [self] parameters, call, send in
      let (seen, subject) = try vouched(parameters.program, by: call.peer)
      return try await answer(parameters.request, of: seen, as: subject, from: call, send)
    }
  }

  /// Returns the program that vouches, and the subject for which it does.
  private func vouched(_ text: String, by peer: Peer) throws(BrokerError) -> (IdentifiedProgram, Subject) {
    guard let subject = Subject(vouched: text) else {
      throw .invalid(
        parameter: "program", reason: "it is not of the form app:org.example.Cam or https://example.org")
    }
    try ForeignText.checked("program") { try ForeignText.check(name: subject.label) }
    guard case .outside = runs.place(of: peer) else {
      throw .invalid(parameter: "program", reason: "a program behind walls asks for itself only")
    }
    guard var seen = witness.program(behind: peer) else { throw .disconnected }
    guard seen.evidence.doubt == nil else {
      throw .invalid(parameter: "program", reason: "it is not known which program vouches for it")
    }
    if subject.isNamelessApp {
      seen.evidence.doubt = "\(seen.evidence.program.lastPathPart) does not say which app asks"
      seen.evidence.isUnreadable = true
    }
    return (seen, subject)
  }
}
