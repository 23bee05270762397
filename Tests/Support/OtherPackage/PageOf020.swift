// swift-format-ignore-file
// This is code of an earlier version, whose lines stay as they were.
import PermBroker
import PermModel

// The code of the page "Asking from a Swift program" of 0.2.0. A line that must change since is followed by what it was;
// without these notes the code is that of 0.2.0, byte for byte. Like all of this package, it is compiled.

private struct ImportPictures: Operation {
  func execute(_ context: OperationContext) async throws {}
}

private func show() {}
private func show<Shown>(_ shown: Shown) {}
private func showNothing() {}
private func offerCancel(_ cancel: () -> Void) {}

func askAsIn020() async throws {
  // begin example
  Authorizer.default = .throughBroker()    // once, when the program starts

  let handle = OperationQueue(name: "import").add(
    ImportPictures(),
    conditions: [AuthorizedFor(Capability.Photos(.addOnly), reason: "bring them home")])
  try await handle.value
  // end example
}

func askOnceAsIn020() async throws {
  // begin example
  let found = try await Authorizer.default.authorize(Capability.Photos(), patience: .seconds(60))
  if found.status.meets(.read) { show() }
  // end example
}

func followAsIn020() async throws {
  // begin example
  for await found in Authorizer.default.statusUpdates(of: Capability.Photos()) { show(found.status) }
  // end example
}

func useServiceAsIn020() async throws {
  // begin example
  final class PhotoWall: AuthorizedService {
    static let capability = Capability.Photos(.read)
    init(_ token: AuthorizationToken) {}  // was: init(_ token: AuthorizationToken<PhotoWall>) {}
  }

  let instances = AuthorizedInstances(.default)
  switch try await instances.instance(of: PhotoWall.self, whenAnswered: { wall in wall.map(show) }) {
  case .granted(let wall): show(wall)
  case .denied: showNothing()
  case .waiting(let wait): offerCancel(wait.cancel)    // a person is being asked; the closure receives the outcome
  }
  // end example
}

func stepAsIn020(_ queue: OperationQueue) {
  let steps = [(title: "One", text: "First.")]
  // begin example
  queue.add("set up", conditions: [MutuallyExclusive(ModalSlot.category)]) { context in
    for step in steps { try await context.run(AlertOperation(title: step.title, message: step.text)) }
  }
  // end example
}
