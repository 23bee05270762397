import Machine
import Operations
import PermModel
import Testing

@testable import PermBroker

@Suite("The command that tells of waiting requests", .timeLimit(.minutes(5)))
struct NotifierTests {
  private struct Call: Sendable {
    var command: [String]
    var variables: [String: String]
  }

  private let presenter = TestPresenter()
  private let exclusion = ExclusionScheduler()
  private let store = MemoryStore(environment: .linux(sessionFolder: nil))
  private let slot: ModalSlot
  private let calls = AsyncStream.makeStream(of: Call.self)
  private let patience = AsyncStream.makeStream(of: Duration.self)
  /// Ends one wait of the notifier for each element.
  private let alarms = ChangeSignal()
  private let notifier: Notifier

  init() {
    slot = ModalSlot(BoardKeeper(Board(), exclusion: exclusion))
    slot.keeper.attach(presenter, dashboard: "test")
    let (calls, patience, alarms) = (calls, patience, alarms)
    notifier = Notifier(
      slot.keeper, store,
      sleep: { duration in
        let (alarm, _) = alarms.subscribe()
        patience.continuation.yield(duration)
        for await _ in alarm { return }
        throw CancellationError()
      },
      run: { command, variables in
        calls.continuation.yield(Call(command: command, variables: variables))
        return command[0] == "broken" ? "it ended with status 3" : nil
      })
  }

  private func alert(_ id: String, label: String = "backup", reason: String? = nil) -> Alert {
    let request = Request(
      id: Request.ID(id), subject: Subject(label: label), capability: "photos",
      atoms: [Atom("photos", "read")],
      reason: reason, askedAt: .now)
    return Alert(
      id: Alert.ID(id), content: .request(RequestAlertMaker(request, .photos).summaryAlert()))
  }

  private func following(_ test: () async throws -> Void) async throws {
    let task = Task { [notifier] in await notifier.follow() }
    defer { task.cancel() }
    try await test()
  }

  @Test("It runs once the time has passed, with foreign text only in variables, and escaped")
  func runs() async throws {
    notifier.use(NotificationSettings(command: ["notify", "PermTUI"], after: .seconds(7)), .builtIn)
    try await following {
      let shown = Task { [slot] in
        try? await slot.present(alert("1", label: "$(rm)\u{1b}", reason: "a\nb"))
      }
      let waits = await patience.stream.first { _ in true }
      #expect(waits.map { $0 <= .seconds(7) && $0 > .seconds(6) } == true)
      alarms.send()
      let call = try #require(await calls.stream.first { _ in true })
      #expect(call.command == ["notify", "PermTUI"])
      var variables = call.variables
      let answer = variables.removeValue(forKey: "PERMTUI_ANSWER")
      #expect(answer?.hasPrefix("ssh ") == true && answer?.hasSuffix(" permtui answer") == true)
      #expect(
        variables == [
          "PERMTUI_ID": "1", "PERMTUI_PROGRAM": "$(rm)\\u{1b}", "PERMTUI_CAPABILITY": "photos:read",
          "PERMTUI_REASON": "a\\nb", "PERMTUI_WAITING": "1",
        ])
      shown.cancel()
    }
  }

  @Test("It does not run if a key was pressed while the time passed")
  func looked() async throws {
    notifier.use(NotificationSettings(command: ["notify"]), .builtIn)
    try await following {
      let first = Task { [slot] in try? await slot.present(alert("1")) }
      _ = await patience.stream.first { _ in true }
      notifier.look()
      first.cancel()
      // The next alert waits for a time of its own, and the command that runs is for that one.
      let second = Task { [slot] in try? await slot.present(alert("2")) }
      _ = await patience.stream.first { _ in true }
      alarms.send()
      #expect(await calls.stream.first { _ in true }?.variables["PERMTUI_ID"] == "2")
      second.cancel()
    }
  }

  @Test("Its failure is a line in the journal")
  func failure() async throws {
    notifier.use(NotificationSettings(command: ["broken"]), .builtIn)
    let changes = try store.changes()
    try await following {
      let shown = Task { [slot] in try? await slot.present(alert("1")) }
      _ = await patience.stream.first { _ in true }
      alarms.send()
      for try await change in changes {
        #expect(change.entries.map(\.kind) == [.notifyFailed])
        #expect(change.entries.first?.text == "broken: it ended with status 3")
        break
      }
      shown.cancel()
    }
  }
}

extension CapabilityDefinition {
  fileprivate static var photos: CapabilityDefinition {
    CapabilityCatalogue.builtIn["photos"]?.definition
      ?? CapabilityDefinition(name: "photos", title: "Photos", summary: "", action: "look")
  }
}
