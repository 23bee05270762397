import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Results know what was asked", .timeLimit(.minutes(5)))
struct AuthorizationResultTests {
  private let answerer: TestAnswerer
  private let photos = Capability.Photos(.read)
  private let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  private func answered(
    _ response: AlertResponse, patience: Duration? = nil
  ) async throws -> Authorization<Capability.Photos.Status> {
    async let found = answerer.authorizer().authorize(photos, patience: patience)
    _ = await answerer.presenter.next()
    answerer.presenter.answer(response)
    return try await found
  }

  @Test("An allowed request has no refusal, and its status is given")
  func allowed() async throws {
    let found = try await answered(.answered(Answer(.allow, atoms: read)))
    #expect(found.isAllowed && found.refusal == nil)
    #expect(try found.required().reading == .allowed)
  }

  @Test("A request that is allowed in part is not allowed")
  func less() async throws {
    let found = try await answered(.answered(Answer(.allow, atoms: [Atom("photos", "limited")], note: "few")))
    #expect(!found.isAllowed)
    #expect(found.refusal == .denied(note: "few"))
    #expect(found.status.reading == .limited)
  }

  @Test("A person's no has the note, also when it is found later", arguments: [nil, "not now"])
  func denied(note: String?) async throws {
    let found = try await answered(.answered(Answer(.deny, atoms: read, lifetime: .forever, note: note)))
    #expect(found.refusal == .denied(note: note))
    let later = try await answerer.authorizer().authorization(of: photos)
    #expect(later.refusal == .denied(note: note))
    #expect(throws: AuthorizationError.notGranted(found.status, requirement: .read)) { try found.required() }
  }

  @Test("A request that a person ended without an answer was dismissed")
  func dismissed() async throws {
    #expect(try await answered(.dismissed).refusal == .dismissed)
  }

  @Test("A request without an answer in time has timed out")
  func timedOut() async throws {
    async let found = answerer.authorizer().authorize(photos, patience: .seconds(5))
    _ = await answerer.presenter.next()
    await answerer.clock.sleepers()
    answerer.clock.advance(by: .seconds(5))
    #expect(try await found.refusal == .timedOut)
  }

  @Test("A capability that the policy forbids is restricted, and a missing device is unavailable")
  func neverAsked() async throws {
    let policy = MachinePolicy([.init(capability: "photos")])
    #expect(try await answerer.authorizer(policy: policy).authorize(photos).refusal == .restricted)
    let camera = try await answerer.authorizer().authorize(Capability.Camera())
    let why = try #require(camera.availability.unavailability)
    #expect(camera.refusal == .unavailable(why))
    #expect(throws: AuthorizationError<AtomState>.unavailable(why)) { try camera.required() }
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("An allowed capability does not count as allowed once it is unavailable")
  func gone() async throws {
    try answerer.decide(.allow, read)
    answerer.machine.remove(answerer.machine.environment.pictures)
    let found = try await answerer.authorizer().authorization(of: photos)
    #expect(found.status.meets(.read) && !found.isAllowed)
  }

  @Test("An undecided request is neither allowed nor refused")
  func undecided() async throws {
    let found = try await answerer.authorizer().authorization(of: photos)
    #expect(!found.isAllowed && found.refusal == nil)
  }

  @Test("A muted program is denied")
  func muted() async throws {
    try answerer.store.decide(.mute(Subject(label: "backup")), by: .commandLine)
    #expect(try await answerer.authorizer().authorize(photos).refusal == .denied())
  }

  @Test("A sequence says why")
  func sequence() async throws {
    let sequence = answerer.authorizer().authorized(for: photos)
    async let steps = sequence.reduce(into: []) { $0.append($1) }
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.answered(Answer(.deny, atoms: read, lifetime: .forever, note: "no")))
    #expect(await steps == [.notYet, .refused(.denied(note: "no"))])
    answerer.machine.remove(answerer.machine.environment.pictures)
    guard case .refused(.unavailable)? = await sequence.reduce(nil, { $1 }) else {
      Issue.record("it does not say that there are no pictures")
      return
    }
  }

  @Test("A sequence whose question cannot be asked says so, and is false twice")
  func failing() async throws {
    let sequence = answerer.authorizer().authorized(for: Capability.Files(.read, in: []))
    let steps = await sequence.reduce(into: []) { $0.append($1) }
    #expect(steps.map(\.isAllowed) == [false, false])
    guard case .refused(.failed(let reason))? = steps.last else {
      Issue.record("it does not say why")
      return
    }
    #expect(reason.contains("say what of files is asked for"))
  }

  @MainActor private final class Page { var title = "" }

  @Test("Code for a grant or a denial runs where its caller does, and may change the caller's values")
  @MainActor func isolation() async throws {
    let page = Page()
    var count = 0
    let sequence = answerer.authorizer().authorized(for: photos)
    try answerer.decide(.deny, read)
    await sequence.whenDenied { [weak page] in
      page?.title = "denied"
      count += 1
    }
    try answerer.decide(.allow, read)
    await sequence.whenGranted { [weak page] in
      page?.title += ", granted"
      count += 1
    }
    #expect(page.title == "denied, granted" && count == 2)
  }
}
