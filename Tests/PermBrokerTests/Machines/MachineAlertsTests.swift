import Foundation
import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("The alerts of other machines at a dashboard", .timeLimit(.minutes(5)))
final class MachineAlertsTests: Sendable {
  /// A dashboard's own board, on which nothing happens.
  private let own = OwnBoard(dashboard: "4.own")
  /// The programs that stand for ssh, by the names of machines.
  private let programs = Lock<[String: [String]]>([:])
  private let bridges = Lock<[BridgedMachine]>([])

  private func machine(_ name: String) throws -> ConfiguredMachine {
    ConfiguredMachine(name: try RemoteName(name), destination: SSHDestination(try RemoteName(name)))
  }

  private func alerts() -> MachineAlerts {
    let answering = StoreControl(
      MemoryStore(environment: .linux(sessionFolder: nil)), catalogue: .builtIn, policy: .none,
      origin: .dashboard(id: "4.x"))
    return MachineAlerts(own, answering: answering, dashboard: "4.x") { [self] machine in
      guard let program = programs.withLock({ $0[machine.name.text] }) else { return .failure(.notAdded) }
      return await MachineLink.open(machine, by: program, id: nil, version: "1.0", now: { .now })
    }
  }

  private func lead(_ name: String, to program: [String]) { programs.withLock { $0[name] = program } }

  /// Waits for a picture in which something holds.
  private func picture(
    _ alerts: MachineAlerts, _ holds: (DashboardPicture) -> Bool
  ) async throws -> DashboardPicture {
    for await _ in alerts.changes {
      let picture = alerts.picture
      if holds(picture) { return picture }
    }
    throw CancellationError()
  }

  /// Runs a test with a machine that is known as web1, a dashboard that is connected to it, and a request there.
  ///
  /// - Parameters:
  ///   - program: Stands for ssh at the first connection.
  ///   - verdict: The verdict that the request has in the end.
  private func withAsking(
    _ verdict: Verdict, through program: (BridgedMachine) -> [String] = { $0.program },
    _ body: (TestBroker, BridgedMachine, MachineAlerts, DashboardPicture.Shown) async throws -> Void
  ) async throws {
    try await withBroker(hasDashboard: false) { test in
      let far = try BridgedMachine(test)
      lead("web1", to: program(far))
      let alerts = alerts()
      defer { alerts.stop() }
      alerts.use([try machine("web1")])
      async let asked = test.ask()
      let shown = try #require(try await picture(alerts) { !$0.shown.isEmpty }.shown.first)
      try await body(test, far, alerts, shown)
      #expect(try await asked.state == (verdict == .allow ? .allowed : .denied))
    }
  }

  private func fault(_ alerts: MachineAlerts) async throws -> MachineFault {
    let found = try await picture(alerts) {
      if case .out = $0.machines.first?.standing { true } else { false }
    }
    guard case .out(let fault) = found.machines[0].standing else { throw CancellationError() }
    return fault
  }

  @Test(
    "An alert there is shown with its machine, and its answer counts there as one of the operator's dashboard"
  )
  func answered() async throws {
    try await withAsking(.allow) { test, far, alerts, shown in
      #expect(shown.alert.id.machine == far.id && shown.isBacked)
      guard case .request(let request) = shown.alert.content else { throw CancellationError() }
      // The capability is unknown on this side, so its words are quoted.
      #expect(request.action == #"do what web1 calls "deploy to staging""#, "\(request.action)")
      let answer = AlertResponse.answered(Answer(.allow, atoms: request.atoms(choice: 0, cover: 0)))
      await #expect(throws: AnswerRefused.changed) {
        try await alerts.respond(
          shown.alert.id, answer, to: Alert(id: Alert.ID("x"), content: shown.alert.content).digest)
      }
      try await alerts.respond(shown.alert.id, answer, to: shown.alert.digest)
      try await test.untilNothingWaits()
      let entry = try test.store.journal(JournalFilter(kinds: [.answered]), .newest(1)).first
      #expect(entry?.origin == .dashboard(id: "4.x"))
      _ = try await picture(alerts) { $0.shown.isEmpty }
    }
  }

  @Test("An alert stays to be read when the connection is lost, and is answered when it is back")
  func lost() async throws {
    try await withAsking(.deny) { _, far, alerts, before in
      lead("web1", to: ["false"])
      far.cut()
      let gone = try await picture(alerts) { $0.shown.contains { !$0.isBacked } }
      #expect(gone.shown.map(\.alert) == [before.alert])
      await #expect(throws: (any Error).self) {
        try await alerts.respond(before.alert.id, .dismissed, to: before.alert.digest)
      }
      lead("web1", to: far.program)
      let again = try #require(try await picture(alerts) { $0.shown.contains(where: \.isBacked) }.shown.first)
      #expect(again.alert == before.alert && again.turn != before.turn)
      try await alerts.respond(
        again.alert.id, .answered(Answer(.deny, to: again.alert)), to: again.alert.digest)
    }
  }

  @Test("Whether an answer counts whose acknowledgement was lost is told when the connection is back")
  func unknown() async throws {
    // This one swallows the reply to the answer, and ends.
    let swallower = { (far: BridgedMachine) in ["python3", "-c", Self.swallower] + far.program.suffix(1) }
    try await withAsking(.deny, through: swallower) { _, far, alerts, shown in
      lead("web1", to: far.program)
      await #expect(throws: AnswerUnknown.self) {
        try await alerts.respond(
          shown.alert.id, .answered(Answer(.deny, to: shown.alert)), to: shown.alert.digest)
      }
      var news = alerts.news.makeAsyncIterator()
      #expect(await news.next()?.text == "web1 has got your answer: deploy for backup is denied.")
    }
  }

  @Test("It is told, too, if the loss of the answer is noticed only after the connection is back")
  func lateLoss() async throws {
    try await withBroker(hasDashboard: false) { test in
      let far = try BridgedMachine(test)
      let (events, continuation) = AsyncStream.makeStream(of: MachineFollower.Event.self)
      let follower = MachineFollower(
        try machine("web1"), dashboard: "4.x", gate: TaskGate(1),
        open: { await MachineLink.open($0, by: far.program, id: nil, version: "1.0", now: { .now }) },
        tell: { continuation.yield($0) })
      let following = Task { await follower.run() }
      defer { following.cancel() }
      async let asked = test.ask()
      let alert = try #require(await events.compactMap(\.picture?.shown.first?.alert).first { _ in true })
      let answer = AlertResponse.answered(Answer(.deny, to: alert))
      await #expect(throws: AnswerUnknown.self) {
        try await follower.settling(alert, answer, whenOut: CancellationError()) { board in
          try await board.respond(alert.id, answer, to: alert.digest)
          far.cut()
          // The first list comes after the new connection has asked about earlier answers.
          _ = await events.drop(while: { !$0.isOut }).first { $0.picture != nil }
          throw BrokerError.disconnected
        }
      }
      let news = await events.compactMap(\.news).first { _ in true }
      #expect(news?.text == "web1 has got your answer: deploy for backup is denied.")
      #expect(try await asked.state == .denied)
    }
  }

  /// Passes bytes on until an answer is sent, whose reply it does not pass on.
  private static let swallower = """
    import os, select, socket, sys
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
    answered = False
    while True:
        for f in select.select([0, s], [], [])[0]:
            b = os.read(0, 65536) if f == 0 else s.recv(65536)
            if not b or (f != 0 and answered): sys.exit(0)
            if f == 0:
                answered = answered or b'.Respond' in b
                s.sendall(b)
            else: os.write(1, b)
    """

  @Test("A panic reaches all machines, and first thing those that were out of reach")
  func panic() async throws {
    try await withBroker { near in
      try await withBroker { late in
        let (first, second) = (try BridgedMachine(near, id: "a"), try BridgedMachine(late, id: "b"))
        lead("web1", to: first.program)
        lead("web2", to: ["false"])
        let alerts = alerts()
        defer { alerts.stop() }
        alerts.use([try machine("web1"), try machine("web2")])
        _ = try await picture(alerts) {
          $0.machines[0].obstacle == nil && $0.machines[1].standing != .connecting
        }
        await alerts.setPanic(true)
        #expect(try near.store.overview().suspension != nil)
        #expect(try late.store.overview().suspension == nil)
        lead("web2", to: second.program)
        _ = try await picture(alerts) { $0.machines[1].obstacle == nil }
        #expect(try late.store.overview().suspension != nil)
      }
    }
  }

  @Test(
    "All that waits on the machines is listed, and each request is answered by itself, on its own machine")
  func picked() async throws {
    try await withBroker(hasDashboard: false) { first in
      try await withBroker(hasDashboard: false) { second in
        lead("web1", to: try bridged(first, "a"))
        lead("web2", to: try bridged(second, "b"))
        let alerts = alerts()
        defer { alerts.stop() }
        alerts.use([try machine("web1"), try machine("web2")])
        async let one = first.ask(label: "one")
        async let two = first.ask(label: "two")
        async let three = second.ask(label: "three")
        _ = try await picture(alerts) { $0.machines.map(\.waiting.requests.count) == [2, 1] }
        let pending = try await alerts.pending()
        #expect(
          Set(pending.map { "\($0.request.subject.label) \($0.machine.prefix(1))" }) == [
            "one a", "two a", "three b",
          ])
        // The digest of another alert does not count, and neither does the id of another machine.
        let answer = Answer(.allow, atoms: pending[0].content.choices[0].atoms)
        await #expect(throws: BrokerError.changed) {
          try await alerts.answer(pending[0].alertID, answer, to: pending[1].digest)
        }
        let moved = Alert.ID(pending[0].id.text, machine: pending[2].machine)
        await #expect(throws: BrokerError.noSuchRequest(moved.text)) {
          try await alerts.answer(moved, answer, to: pending[0].digest)
        }
        for request in pending { try await alerts.answer(request.alertID, answer, to: request.digest) }
        let states = try await [one.state, two.state, three.state]
        #expect(states == [.allowed, .allowed, .allowed])
        _ = try await picture(alerts) { $0.machines.allSatisfy { $0.waiting.total == 0 } }
      }
    }
  }

  /// Returns the program that stands for ssh to a broker.
  private func bridged(_ test: TestBroker, _ id: Character) throws -> [String] {
    let far = try BridgedMachine(test, id: id)
    bridges.withLock { $0.append(far) }
    return far.program
  }

  /// Waits until a request is listed, and returns it.
  private func listed(_ alerts: MachineAlerts) async throws -> PendingRequest {
    let found = try await picture(alerts) { !$0.machines[0].waiting.requests.isEmpty }
    return found.machines[0].waiting.requests[0]
  }

  @Test("Requests on a machine that is out of reach are not listed, and no answer is sent")
  func outOfReach() async throws {
    try await withAsking(.deny) { _, far, alerts, shown in
      let pending = try await listed(alerts)
      #expect(pending.alertID == shown.alert.id)
      lead("web1", to: ["false"])
      far.cut()
      _ = try await fault(alerts)
      #expect(alerts.picture.machines[0].waiting == WaitingList())
      let answer = Answer(.deny, atoms: pending.content.choices[0].atoms)
      await #expect(throws: AnswerNotSent.self) {
        try await alerts.answer(pending.alertID, answer, to: pending.digest)
      }
      lead("web1", to: far.program)
      let again = try await listed(alerts)
      try await alerts.answer(again.alertID, answer, to: again.digest)
    }
  }

  @Test("No alert comes up through a bridge that only watches")
  func watching() async throws {
    try await withBroker(hasDashboard: false) { test in
      let far = try BridgedMachine(test, rule: .watch)
      lead("web1", to: far.program)
      let alerts = alerts()
      defer { alerts.stop() }
      alerts.use([try machine("web1")])
      let found = try await picture(alerts) { $0.machines[0].standing.hello != nil }
      #expect(found.machines[0].obstacle == "lets you look, and not answer")
    }
  }

  @Test(
    "A bridge that does not keep to the rules is left, with the reason",
    arguments: [
      (#"{"parameters":{}}"#, MachineFault.ended("it shows no more alerts")),
      (#"{"continues":true,"parameters":{"show":[{"number":1}]}}"#, nil),
      (#"{"continues":true"#, MachineFault.nonsense("a reply cannot be read")),
      (String(repeating: "x", count: 1 << 21), .nonsense("a reply has more than 1048576 bytes")),
    ] as [(String, MachineFault?)])
  func liars(_ reply: String, _ expected: MachineFault?) async throws {
    let folder = try TemporaryFolder()
    try reply.write(toFile: folder.file("reply"), atomically: false, encoding: .utf8)
    lead("web1", to: ["python3", "-c", Self.liar, folder.file("reply")])
    let alerts = alerts()
    defer { alerts.stop() }
    alerts.use([try machine("web1")])
    let fault = try await fault(alerts)
    if let expected { #expect(fault == expected) }
    #expect(alerts.picture.shown.isEmpty)
  }

  /// Greets as a bridge does, and answers everything else with the same reply, without an end.
  private static let liar = """
    import os, sys, time
    hello = '{"parameters":{"machine":"%s","host":"w","version":"1.0","passes":"answers","now":%d}}'
    def call():
        b = b''
        while not b.endswith(b'\\0'): b += os.read(0, 1) or sys.exit(0)
    call(); os.write(1, (hello % ('a' * 32, time.time() * 1e6)).encode() + b'\\0')
    call()
    with open(sys.argv[1], 'rb') as f: reply = f.read() + b'\\0'
    try:
        while True:
            sent = 0
            while sent < len(reply): sent += os.write(1, reply[sent:])
    except OSError: pass
    """
}

extension Answer {
  /// Creates an answer to all that an alert asks for.
  fileprivate init(_ verdict: Verdict, to alert: Alert) {
    guard case .request(let request) = alert.content else { preconditionFailure("it is no request") }
    self.init(verdict, atoms: request.atoms(choice: 0, cover: 0))
  }
}

extension MachineFollower.Event {
  fileprivate var picture: ScreenPicture? { if case .pictured(let picture) = self { picture } else { nil } }
  fileprivate var news: MachineNews? { if case .told(let news) = self { news } else { nil } }
  fileprivate var isOut: Bool { if case .standing(.out) = self { true } else { false } }
}
