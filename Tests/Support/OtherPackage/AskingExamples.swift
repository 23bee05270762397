// begin example
import PermBroker
// end example
import PermModel

// The code of docs/asking-from-swift.md, word for word.

private struct ImportPictures: Operation {
  func execute(_ context: OperationContext) async throws -> Int { 0 }
}

/// Asks as the page does, and returns what the page's functions said.
func askLikeThePage(_ asker: Authorizer, queue: OperationQueue) async throws -> [String] {
  var said: [String] = []
  func show(_ text: String) { said.append(text) }
  // begin example
  Authorizer.default = .throughBroker()  // once, when the program starts
  // end example
  Authorizer.default = asker
  // begin example
  let handle = queue.add(
    ImportPictures(),
    conditions: [AuthorizedFor(Capability.Photos(.addOnly), reason: "bring them home")])
  let count = try await handle.value
  // end example
  show("\(count) pictures")
  // begin example
  let shared = try Capability.Files(.read, "/usr/share/")  // the folder with everything below it
  let api = try Capability.Network(.connect, to: "api.example.org", port: 443)
  let push = try Capability.Commands(run: "git push origin main")
  let work = queue.add(
    "publish", conditions: [AuthorizedFor(shared), AuthorizedFor(api), AuthorizedFor(push)]
  ) { _ in "published" }
  // end example
  show(try await work.value)
  // begin example
  let typed = try CapabilityCatalogue.builtIn.capability("files:read@/usr/share/")
  // end example
  show("\(typed.requirement)")
  // begin example
  let found = try await Authorizer.default.authorize(shared, patience: .seconds(60))
  if found.isAllowed { show("reading") }
  // end example
  // begin example
  switch found.refusal {
  case nil: show("reading")
  case .denied(let note?)?: show("You said: \(note)")
  case .dismissed?, .timedOut?, .nobodyThere?: show("Nobody answered.")
  case .some(let why): show("Not read: \(why)")
  }
  // end example
  // begin example
  let status = try await Authorizer.default.authorize(Capability.Photos(.addOnly)).required()
  // end example
  show("adding \(status.adding)")
  return said
}

/// Follows a permission as the page does.
func followLikeThePage() async throws -> [String] {
  var said: [String] = []
  func show(_ text: String) { said.append(text) }
  let photos = Capability.Photos(.addOnly)
  // begin example
  for await found in Authorizer.default.statusUpdates(of: photos) {
    show("\(found.status)")
    if found.isAllowed { break }
  }
  // end example
  // begin example
  for await step in Authorizer.default.authorized(for: photos) {
    switch step {
    case .notYet: show("Please answer on your dashboard.")
    case .allowed: show("Thank you.")
    case .refused(let why): show("No pictures: \(why)")
    }
  }
  // end example
  // begin example
  let sequence = Authorizer.default.authorized(for: photos)
  // [true], [false, true] or [false, false]
  for await isAllowed in sequence.map(\.isAllowed) { show("\(isAllowed)") }
  await sequence.whenGranted { show("granted") }
  await sequence.whenDenied { show("denied") }
  // end example
  return said
}

// begin example
class Library: AuthorizedService, @unchecked Sendable {
  class var capability: Capability.Photos { Capability.Photos(.addOnly) }
  let folder: String
  required init(_ token: AuthorizationToken) { folder = token.environment.pictures }
}
// end example

/// Uses a service as the page does.
func useServiceLikeThePage() async throws -> [String] {
  var said: [String] = []
  func show(_ text: String) { said.append(text) }
  // begin example
  let instances = AuthorizedInstances(.default)
  switch try await instances.instance(
    of: Library.self, whenAnswered: { library in print(library?.folder ?? "no") })
  {
  case .granted(let library): show(library.folder)
  case .denied: show("denied")
  case .waiting(let wait): wait.cancel()  // a person is being asked; the closure receives the outcome
  }
  // end example
  return said
}

/// Reads a store as the page does.
func readStoreLikeThePage(at path: String) async throws -> [String] {
  var said: [String] = []
  func show(_ text: String) { said.append(text) }
  let program = Subject(label: "report")
  // begin example
  let store = try SQLiteStore(at: path)
  for decision in try store.decisions(of: program) { show("\(decision.atom) \(decision.verdict)") }
  if let first = try store.decisions(of: program).first { try store.revoke(first) }
  let undone = try store.undo()
  // end example
  show("\(undone.count) undone, \(try store.requests.count) wait")
  let later = Task {
    // begin example
    for try await change in try store.changes {
      for decision in change.decisions { print(decision.after?.atom.description ?? "forgotten") }
    }
    // end example
  }
  later.cancel()
  return said
}

/// Shows several alerts in a row as the page does.
func stepLikeThePage(_ queue: OperationQueue, in slot: ModalSlot) async throws {
  let steps = [(title: "One", text: "First."), (title: "Two", text: "Then.")]
  // begin example
  let wizard = queue.add("set up", conditions: [MutuallyExclusive(ModalSlot.category)]) { context in
    for step in steps {
      try await context.run(AlertOperation(title: step.title, message: step.text, in: slot))
    }
  }
  // end example
  try await wizard.value
}
