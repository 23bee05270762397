import Machine
import PermModel

/// A dashboard's part in the board of another machine, for as long as the dashboard runs: it connects, follows the alerts,
/// passes on responses, and connects again.
final class MachineFollower: Sendable {
  /// The news of a machine.
  enum Event: Sendable {
    case standing(ShownMachine.Standing)
    case pictured(ScreenPicture)
    case listed(WaitingList)
    /// The time is over for which alerts of an earlier connection stay to be read.
    case leftAreOver
    case told(MachineNews)
  }

  /// Connects to a machine.
  typealias Opening = @Sendable (ConfiguredMachine) async -> Result<MachineLink, MachineFault>

  /// An answer for which no acknowledgement came.
  private struct Unsettled: Sendable {
    var request: Request.ID
    var verdict: Verdict
    var summary: String
  }

  private struct Connection {
    let caller: MachineCaller
    let board: BoardFollower
  }

  private struct State {
    var connection: Connection?
    /// The answers of which it is not known whether they count.
    var unsettled: [Unsettled] = []
    /// Whether a panic of the person is still to be told.
    var owesPanic = false
  }

  private let machine: ConfiguredMachine
  private let open: Opening
  private let dashboard: String
  private let gate: TaskGate
  private let tell: @Sendable (Event) -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - dashboard: The dashboard's random id, which is recorded with every decision made there.
  ///   - gate: Limits the number of connections that are set up at the same time.
  ///   - tell: Receives the news.
  init(
    _ machine: ConfiguredMachine, dashboard: String, gate: TaskGate, open: @escaping Opening,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    (self.machine, self.dashboard) = (machine, dashboard)
    (self.gate, self.open, self.tell) = (gate, open, tell)
  }

  // MARK: The connection

  /// The time before the second attempt to connect, and the longest one, in seconds.
  private static let (shortestPause, longestPause) = (0.5, 30.0)

  /// The time for which alerts of an earlier connection stay to be read, until the machine shows them again.
  private static let handover = Duration.seconds(2)

  /// Keeps the dashboard connected until the task is cancelled.
  func run() async {
    var pause = Self.shortestPause
    while !Task.isCancelled {
      let (fault, wasConnected) = await follow()
      if Task.isCancelled { return }
      tell(.standing(.out(fault)))
      if wasConnected { pause = Self.shortestPause }
      // Fifty dashboards must not all come back in the same moment.
      guard (try? await QuietClock.sleep(for: .seconds(pause * .random(in: 0.75...1.25)))) != nil else {
        return
      }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Connects, and follows the alerts until the connection ends. Returns the reason for that, and whether there was a
  /// connection.
  private func follow() async -> (MachineFault, wasConnected: Bool) {
    let link: MachineLink
    do throws(MachineFault) {
      link = try await gate.pass { [open, machine] in await open(machine) }.get()
    } catch { return (error, false) }
    let caller = MachineCaller(link)
    let board = BoardFollower(caller, dashboard: dashboard, machine: link.hello.id)
    let owesPanic = state.withLock { state in
      state.connection = Connection(caller: caller, board: board)
      return state.owesPanic
    }
    defer { state.withLock { $0.connection = nil } }
    if owesPanic { await panic() }
    tell(.standing(.answering(link.hello)))
    await settle(caller)
    let over = Task.quiet { [tell] in
      if (try? await QuietClock.sleep(for: Self.handover)) != nil { tell(.leftAreOver) }
    }
    defer { over.cancel() }
    let error = await follow(board, caller, link.hello)
    if let error { return (.refused(VisibleText.escaped("\(error)")), true) }
    if let reason = caller.reason { return (reason, true) }
    return (await link.fault(), true)
  }

  /// Follows the alerts. Returns the error with which that ends; `nil` if the connection ends.
  private func follow(
    _ board: BoardFollower, _ caller: MachineCaller, _ hello: MachineHello
  ) async -> (any Error)? {
    do {
      let listed = { [tell] (list: WaitingList) in
        guard list.requests.count <= WaitingList.most else {
          return caller.cut(because: .nonsense("it lists more requests than it was asked for"))
        }
        tell(.listed(list))
      }
      try await board.run(onlyPicks: hello.passes == .watch, listed: listed) { [tell] picture in
        // One alert at a time is on the screen of a machine, and a person sets few aside.
        guard picture.shown.count <= 1, picture.aside.count <= Self.mostAside else {
          return caller.cut(because: .nonsense("it shows several alerts at once"))
        }
        tell(.pictured(picture))
      }
      return nil
    } catch BrokerError.disconnected {
      return nil
    } catch {
      return error
    }
  }

  /// The greatest number of alerts that a machine can say were set aside here.
  private static let mostAside = 200

  // MARK: Responses

  /// Sends the person's response to an alert as the machine has sent it, and waits until it is stored there.
  ///
  /// - Throws: ``AnswerUnknown`` if it is not known whether the response counts; ``AnswerRefused`` or ``BrokerError`` if it
  ///   does not.
  func respond(_ alert: Alert, _ response: AlertResponse) async throws {
    try await settling(alert, response, whenOut: AnswerRefused.notShown(alert.id)) { board in
      try await board.respond(alert.id, response, to: alert.digest)
    }
  }

  /// Sends the person's answer to a request that was picked from the list, as the machine has sent it, and waits until it is
  /// stored there.
  ///
  /// - Throws: As ``respond(_:_:)`` does.
  func answer(_ request: PendingRequest, _ answer: Answer) async throws {
    let noSuchRequest = BrokerError.noSuchRequest(request.id.text)
    try await settling(request.alert, .answered(answer), whenOut: noSuchRequest) { board in
      try await board.answer(request.id, answer, to: request.digest)
    }
  }

  /// Sends a response over the present connection. If that ends meanwhile, notes an answer as unknown.
  func settling(
    _ alert: Alert, _ response: AlertResponse, whenOut out: any Error,
    _ send: (BoardFollower) async throws -> Void
  ) async throws {
    guard let connection = state.withLock(\.connection) else { throw out }
    do {
      try await send(connection.board)
    } catch BrokerError.disconnected {
      guard case .answered(let answer) = response, case .request(let asked) = alert.content else {
        throw BrokerError.disconnected
      }
      let answered = Unsettled(request: asked.request.id, verdict: answer.verdict, summary: alert.summary)
      note(answered, lostBy: connection.caller)
      throw AnswerUnknown(machine: machine.name)
    }
  }

  /// Notes an answer whose connection has ended. There can be a new connection by now, which has asked about the earlier
  /// answers before this one was among them.
  private func note(_ answered: Unsettled, lostBy caller: MachineCaller) {
    let present = state.withLock { state in
      state.unsettled.append(answered)
      return state.connection?.caller
    }
    guard let present, present !== caller else { return }
    Task.quiet { [self] in await settle(present) }
  }

  func reopen(_ alert: Alert.ID) async throws {
    try await state.withLock(\.connection)?.board.reopen(Alert.ID(alert.text))
  }

  /// Finds out which of the earlier answers count.
  private func settle(_ caller: MachineCaller) async {
    while let answered = state.withLock({ $0.unsettled.isEmpty ? nil : $0.unsettled.removeFirst() }) {
      let parameters = Methods.Log.Parameters(
        kinds: [JournalEntry.Kind.answered.rawValue], request: answered.request.text, limit: 1)
      guard let reply = try? await caller.call(Methods.Log.self, parameters) else {
        return note(answered, lostBy: caller)
      }
      tell(.told(news(of: answered, try? reply.entries.first?.entry().verdict)))
    }
  }

  /// - Parameter verdict: The verdict that counts there; `nil` if nobody has answered.
  private func news(of answered: Unsettled, _ verdict: Verdict?) -> MachineNews {
    let (name, what) = (machine.name.text, VisibleText.escaped(answered.summary))
    guard let verdict else {
      return MachineNews(text: "\(name) has not got your answer to \(what). It asks again.", isError: true)
    }
    let words = verdict == .allow ? "allowed" : "denied"
    let isOwn = verdict == answered.verdict
    return MachineNews(
      text: isOwn
        ? "\(name) has got your answer: \(what) is \(words)." : "On \(name), \(what) was \(words) first.",
      isError: !isOwn)
  }

  // MARK: Panic

  /// Begins a panic on the machine. If it is out of reach, it is the first thing that the machine is told when it is back.
  func panic() async {
    state.withLock { $0.owesPanic = true }
    guard let caller = state.withLock(\.connection)?.caller else { return }
    do {
      _ = try await caller.call(Methods.Panic.self, .init())
      state.withLock { $0.owesPanic = false }
    } catch BrokerError.disconnected {
    } catch {
      state.withLock { $0.owesPanic = false }
      tell(.told(MachineNews(text: "\(machine.name.text) did not begin the panic: \(error)", isError: true)))
    }
  }

  /// Ends the panic on the machine, if its owner lets this operator do that.
  func endPanic() async {
    let caller = state.withLock { state in
      state.owesPanic = false
      return state.connection?.caller
    }
    do {
      _ = try await caller?.call(Methods.Panic.self, .init(lift: true))
    } catch BrokerError.disconnected {
    } catch {
      tell(.told(MachineNews(text: "The panic on \(machine.name.text) goes on: \(error)", isError: true)))
    }
  }
}
