import Operations
import PermModel
import Testing

@testable import PermTUI

/// Plays the demo's story to its end with scripted answers.
@Suite("The demo's story", .timeLimit(.minutes(5)))
struct DemoStoryTests {
  @Test("At least eight alerts queue up, and one at a time is shown, in the story's order")
  func order() async throws {
    let played = try await play { $0.allowed }
    // The folder of the agent has a random name.
    let summaries = played.alerts.map {
      String($0.summary.prefix(upTo: $0.summary.firstRange(of: " in /")?.lowerBound ?? $0.summary.endIndex))
    }
    #expect(
      summaries.prefix(9) == [
        "Eleven programs start", "calendar for reminders", "photos for photo-import", "health for fitness",
        "photos for backup", "Delete 12 albums?", "camera for video-chat", "commands for claude",
        "files for report.ts",
      ])
    #expect(
      Set(summaries.dropFirst(9)) == [
        "cloud for photo-import", "microphone for video-chat", "location for tracker", "files for claude",
      ])
    #expect(played.waitingAtStart == 8)
  }

  @Test("A program that is allowed everything runs, and does its real work")
  func allAllowed() async throws {
    let report = try await play { $0.allowed }.report
    #expect(report.count == 12)
    for line in report { #expect(line.hasRun, "\(line.program): \(line.words)") }
    #expect(report["reminders"]?.words.contains("Call the dentist") == true)
    #expect(report["thumbs"]?.words.contains("48") == true)
    #expect(
      report["invite"]?.words
        == "It may not read your contacts, so it used its own list, and nobody was asked.")
    #expect(report["tracker"]?.words == "Noted where you are (not really).")
    #expect(report["tracker, later"]?.words == "Follows you in the background (not really).")
  }

  @Test("If the photos are denied, the cloud is never asked about, and the report says why")
  func photosDenied() async throws {
    let played = try await play { $0.summary == "photos for photo-import" ? $0.denied : $0.allowed }
    #expect(!played.alerts.contains { $0.summary == "cloud for photo-import" })
    let line = try #require(played.report["photo-import"])
    #expect(!line.hasRun)
    #expect(line.words == "photos not allowed, so cloud was never asked")
  }

  @Test("Its machine has every capability that comes with the program")
  func everyCapability() async throws {
    let machine = try DemoMachine()
    defer { machine.remove() }
    for descriptor in CapabilityCatalogue.builtIn.capabilities {
      let name = descriptor.definition.name
      let atoms = descriptor.definition.atoms
      let found = await descriptor.availability(for: Set(atoms), in: machine.probes)
      #expect(found.isAvailable, "\(name): \(found)")
    }
  }

  @Test("A partial yes for the fitness report is made the best of")
  func partly() async throws {
    let played = try await play { alert in
      guard alert.summary == "health for fitness" else { return alert.allowed }
      return .answered(Answer(.allow, atoms: [Atom("health", "read=heart")]))
    }
    #expect(played.report["fitness"]?.words == "Reported on the heart rate; the steps were not added.")
  }

  @Test("The script's alert names the file to which a real link leads, and the script reads that file")
  func link() async throws {
    let played = try await play { $0.allowed }
    let alert = try #require(played.alerts.first { $0.summary == "files for report.ts" })
    guard case .request(let content) = alert.content else {
      Issue.record("no request: \(alert.content)")
      return
    }
    let fact = try #require(content.request.facts.paths.first)
    #expect(fact.scope.text.hasSuffix("/srv/private/2026/taxes.csv") && fact.doubt == nil)
    #expect(fact.spelling?.text.hasSuffix("/ana/src/app/data/latest.csv") == true)
    #expect(content.request.atoms == [Atom("files", "read", fact.scope)])
    #expect(played.report["report.ts"]?.words == "Read 4 lines of a table that a link leads to.")
  }

  @Test("The impostor's alert says that another file was seen under its name")
  func impostor() async throws {
    let played = try await play { $0.denied }
    let alert = try #require(played.alerts.first { $0.summary == "photos for backup" })
    guard case .request(let request) = alert.content, case .mismatch(let before) = request.identity else {
      Issue.record("no mismatch in \(alert.content)")
      return
    }
    #expect(before.hasSuffix("bin/backup.sh"))
  }

  @Test("If all is denied, only programs that need not ask run")
  func allDenied() async throws {
    let report = try await play { $0.denied }.report
    #expect(report["video-chat"]?.words == "camera not allowed, so microphone was never asked")
    #expect(report["backup"]?.words == "photos:read was denied")
    #expect(report["report.ts"]?.words == "the file that the link leads to was not allowed")
    #expect(report.filter(\.hasRun).map(\.program) == ["thumbs", "invite", "tracker"])
  }

  @Test("A clean-up that a panic keeps from asking says so, and does not blame the person")
  func panic() async throws {
    let played = try await play(inPanicAt: "photos for backup") { $0.allowed }
    #expect(played.report["clean-up"]?.words == "a panic was on, so nothing could be confirmed")
    let denied = try await play { $0.denied }
    #expect(denied.report["clean-up"]?.words == "the person refused")
  }

  @Test("The tracker runs while its time lasts, and asks for always when it is over")
  func tracker() async throws {
    let played = try await play { $0.allowed }
    let alert = try #require(played.alerts.last { $0.summary == "location for tracker" })
    guard case .request(let request) = alert.content else {
      Issue.record("no request: \(alert.content)")
      return
    }
    #expect(request.request.atoms == [Atom("location", "always")])
    #expect(request.identity == .asSeen)
    #expect(request.history.allowed == 1, "The alert says that it had been allowed.")
  }

  // MARK: - Playing

  private struct Played {
    var alerts: [Alert]
    var waitingAtStart: Int
    var report: [DemoLine]
  }

  /// - Parameter panic: The alert on which a panic begins instead of an answer; `nil` for none.
  @Test("A person who leaves while the programs start does not wait for the rest of them")
  func leftAtStart() async throws {
    let report = try await withStory {
      $0.allowed
    } _: { story, _, _ in
      let told = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await story.finish(try await story.start()) { _, _ in }
      }
      return try await told.value
    }
    #expect(report.count == 12)
    #expect(report.allSatisfy { !$0.hasRun })
  }

  private func play(
    inPanicAt panic: String? = nil, _ answer: @escaping @Sendable (Alert) -> AlertResponse
  ) async throws -> Played {
    try await withStory(inPanicAt: panic, answer) { story, slot, presenter in
      let parts = try await story.start()
      let waiting = slot.picture.line.filter { $0.summary != "location for tracker" }.count
      presenter.raiseCurtain()
      let report = await story.finish(parts) { _, _ in }
      return Played(alerts: presenter.alerts, waitingAtStart: waiting, report: report)
    }
  }

  private func withStory<Result>(
    inPanicAt panic: String? = nil, _ answer: @escaping @Sendable (Alert) -> AlertResponse,
    _ body: (DemoStory, ModalSlot, ScriptedPresenter) async throws -> Result
  ) async throws -> Result {
    let machine = try DemoMachine()
    defer { machine.remove() }
    let clock = StoryClock()
    let exclusion = ExclusionScheduler()
    let store = MemoryStore(environment: clock.environment)
    let presenter = ScriptedPresenter { alert in
      guard alert.summary == panic else { return answer(alert) }
      _ = try? store.setSuspended(true, by: .library)
      return .dismissed
    }
    let slot = ModalSlot(presenter: presenter, exclusion: exclusion, refusing: .panic(in: store))
    let cast = try DemoCast(on: machine)
    try cast.stock(store)
    let story = DemoStory(
      cast: cast, store: store, slot: slot, queue: OperationQueue(exclusion: exclusion, clock: clock),
      authorizer: Authorizer(
        subject: Subject(label: "demo"), store: store, slot: slot, environment: machine.probes),
      trackerTime: .seconds(20))
    return try await body(story, slot, presenter)
  }
}

extension Alert {
  /// The answer that allows everything that is asked.
  fileprivate var allowed: AlertResponse {
    switch content {
    case .request(let alert): .answered(Answer(.allow, atoms: alert.request.atoms))
    case .confirmation: .confirmed
    case .notice: .acknowledged
    }
  }

  fileprivate var denied: AlertResponse {
    switch content {
    case .request(let alert): .answered(Answer(.deny, atoms: alert.request.atoms))
    case .confirmation: .refused
    case .notice: .acknowledged
    }
  }
}

extension [DemoLine] {
  fileprivate subscript(program: String) -> DemoLine? { first { $0.program == program } }
}
