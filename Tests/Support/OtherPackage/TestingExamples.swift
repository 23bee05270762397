import PermModel
import PermModelTesting

// The code of the page about tests, word for word.

func askInATest() async throws -> Bool {
  // begin example
  let presenter = ScriptedPresenter()
  let authorizer = Authorizer(
    subject: Subject(label: "backup"), store: MemoryStore(), slot: ModalSlot(presenter: presenter))
  async let found = authorizer.authorize(try Capability.Files(.read, "/srv/a"))
  _ = await presenter.next()
  presenter.answer(.allow)
  let isAllowed = try await found.isAllowed
  // end example
  return isAllowed
}

func scriptATest() async throws -> AuthorizationRefusal? {
  // begin example
  let refuses = ScriptedPresenter { alert in
    guard case .request(let request) = alert.content else { return .dismissed }
    return .answered(Answer(.deny, atoms: request.choices[0].atoms, lifetime: .forever, note: "not today"))
  }
  let authorizer = Authorizer(
    subject: Subject(label: "backup"), store: MemoryStore(), slot: ModalSlot(presenter: refuses))
  let refusal = try await authorizer.authorize(try Capability.Files(.read, "/srv/a")).refusal
  // end example
  return refusal
}

func makeResultsInATest() -> [String] {
  // begin example
  let denied = Authorization(.read, Capability.Photos.Status(.denied), refusal: .denied(note: "no"))
  let limited = CapabilityFacts(of: Capability.Photos(.read), allowed: [Atom("photos", "limited")])
  let status = Capability.Photos(.read).status(from: limited)
  // end example
  return ["\(denied.refusal.map { "\($0)" } ?? "allowed")", "\(status)"]
}

func waitInATest(_ queue: OperationQueue) async -> OperationOutcome? {
  // begin example
  let handle = queue.add("copy") { _ in }
  let outcome = await handle.outcome(within: .seconds(10))  // of real time, whatever clock the queue has
  // end example
  return outcome
}
