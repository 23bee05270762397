import Machine
import Operations
import Testing

@testable import OperationsExtras

// begin example
/// Satisfied when somebody has signed in.
struct SignedIn: OperationCondition {
  struct NobodySignedIn: Error {}

  let session: Session

  func makeRemedy() -> (any Operation)? {
    BlockOperation("sign in") { _ in session.signIn() }
  }

  func evaluate(_ context: ConditionContext) async -> ConditionResult {
    session.isSignedIn ? .satisfied : .failed(NobodySignedIn(), curable: true)
  }
}
// end example

final class Session: Sendable {
  private let state = Lock(false)
  var isSignedIn: Bool { state.withLock { $0 } }
  func signIn() { state.withLock { $0 = true } }
}

@Suite("Examples of conditions")
struct ConditionsExamples {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  @Test("Conditions of an operation, and conditions where it is added")
  func attaching() async throws {
    let session = Session()
    let discHasRoom = true
    // begin example
    struct Upload: Operation {
      let session: Session
      var conditions: [any OperationCondition] { [SignedIn(session: session)] }
      func execute(_ context: OperationContext) async throws -> String { "uploaded" }
    }

    let handle = queue.add(
      Upload(session: session), conditions: [BlockCondition("room on the disc") { discHasRoom }])
    // end example
    #expect(try await handle.value == "uploaded")
    #expect(session.isSignedIn)
  }

  @Test("Silent, negated and compound conditions")
  func wrapping() async throws {
    let session = Session()
    // begin example
    let signedIn = SignedIn(session: session)

    // Only if somebody is signed in already: nobody is asked.
    let quiet = queue.add("sync", conditions: [SilentCondition(signedIn)]) { _ in }

    // Only if nobody is.
    let fallback = queue.add("local copy", conditions: [NegatedCondition(SilentCondition(signedIn))]) { _ in }

    // Either will do; the remedies run in order, up to the first that helps.
    let either = queue.add("share", conditions: [AnyCondition([ReachabilityCondition(.wired), signedIn])]) {
      _ in
    }
    // end example
    #expect(await quiet.failures == ["Silent(SignedIn)"])
    try await fallback.value
    _ = await either.outcome
  }

  @Test("Errors of conditions are typed, and all of them are kept")
  func errors() async throws {
    let handle = queue.add(
      conditions: [SilentCondition(SignedIn(session: Session())), FalseCondition()]
    ) { _ in }
    // begin example
    do {
      try await handle.value
    } catch let failed as ConditionsFailed {
      if failed.first(SignedIn.NobodySignedIn.self) != nil { print("Sign in first.") }
      for failure in failed.failures { print("\(failure.condition): \(failure.error)") }
    }
    // end example
    #expect(await handle.failures == ["Silent(SignedIn)", "FalseCondition"])
  }

  @Test("Skipping is no error")
  func skipping() async throws {
    struct AtNight: OperationCondition {
      let hour: Int
      // begin example
      func evaluate(_ context: ConditionContext) async -> ConditionResult {
        (22...23).contains(hour) ? .satisfied : .skipped(reason: "it is not night")
      }
      // end example
    }
    #expect(await queue.add(conditions: [AtNight(hour: 9)]) { _ in }.outcome.word == "skipped")
  }

  @Test("Failed dependencies")
  func dependencies() async throws {
    // begin example
    let download = queue.add("download") { _ in throw CancellationError() }
    let unpack = queue.add("unpack", conditions: [NoFailedDependenciesCondition()], after: [download]) { _ in
    }
    // end example
    #expect(await unpack.failures == ["NoFailedDependenciesCondition"])
  }

  @Test("The network")
  func reachability() async throws {
    let network = FakeNetwork()
    network.set(.wired)
    // begin example
    let atHome = ReachabilityCondition(.notMobile, waits: true, network: network)
    let mirror = ReachabilityCondition(host: NetworkHost("mirror.example.org", port: 443), network: network)
    let handle = queue.add("update", conditions: [atHome, mirror]) { _ in "updated" }
    // end example
    #expect(try await handle.value == "updated")
  }
}
