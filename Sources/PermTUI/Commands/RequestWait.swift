import Dispatch
import Glibc
import PermBroker
import PermModel

/// A request from asking to its end, also while brokers come and go.
struct RequestWait {
  var question: BrokerQuestion
  let reference: CapabilityReference
  let place: BrokerPlace
  let deadline: ContinuousClock.Instant?
  let hasTerminal: Bool
  let context: CommandContext

  /// How often it looks for a broker while there is none.
  private static let pause: UInt32 = 200_000

  /// Asks and waits.
  ///
  /// - Throws: ``CommandError``, or what the store throws.
  func outcome() throws -> RequestProgress {
    var hasSaidHow = false
    while true {
      do {
        let connection = try BrokerConnection(to: .ask, among: place.addresses)
        return try ask(on: connection, &hasSaidHow)
      } catch BrokerSocketError.nobodyListens {
        if let end = try withoutBroker(&hasSaidHow) { return end }
      } catch BrokerError.disconnected {
        // The broker went away. The next one finds the request under the same id.
        guard !isOver else { return .timedOut }
        usleep(Self.pause / 4)
      } catch let error as BrokerError {
        throw CommandError(broker: error)
      } catch let error as BrokerSocketError {
        throw CommandError("\(error)")
      }
    }
  }

  private var isOver: Bool { deadline.map { $0 <= .now } ?? false }

  // MARK: With a broker

  private func ask(on connection: BrokerConnection, _ hasSaidHow: inout Bool) throws -> RequestProgress {
    var question = question
    question.patience = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
    try connection.ask(question)
    var progress = try connection.nextProgress()
    if case .waiting(presenters: 0) = progress, hasTerminal {
      if let answer = try OwnTerminal.prompt(alert(), until: connection.descriptor) { return answer }
      progress = try connection.nextProgress()
    }
    while case .waiting = progress {
      sayHow(&hasSaidHow)
      progress = try connection.nextProgress()
    }
    return progress
  }

  private func sayHow(_ hasSaidHow: inout Bool) {
    guard !hasSaidHow else { return }
    hasSaidHow = true
    context.console.note(
      "permtui: waiting for an answer about \(context.console.visible(question.capability)): open permtui, "
        + "or run permtui answer")
  }

  // MARK: Without

  /// The end of the request where there is no broker; `nil` once there is one.
  private func withoutBroker(_ hasSaidHow: inout Bool) throws -> RequestProgress? {
    let request = try makeRequest()
    if let known = try known(request) { return known }
    if hasTerminal { return try OwnTerminal.prompt(alert(), until: nil, deadline: deadline) ?? .timedOut }
    let store = try context.store(.change)
    try store.open(request)
    sayHow(&hasSaidHow)
    while true {
      guard !isOver else {
        try store.close(request.id, .timedOut, by: .commandLine)
        return .timedOut
      }
      usleep(Self.pause)
      if (try? BrokerConnection(to: .ask, among: place.addresses)) != nil { return nil }
      if try !store.waitingRequests().contains(where: { $0.id == request.id }) {
        return try end(of: request, in: store)
      }
    }
  }

  /// What decisions answer, and that they did.
  private func known(_ request: Request) throws -> RequestProgress? {
    let standing = try context.store(.read).standing(of: request.subject, capability: request.capability)
    let outlook = AnswerOutlook(request.subject, reference, standing, in: context)
    switch outlook.answer {
    case .ask: return nil
    case .unavailable: return .unavailable(explanation: outlook.reason)
    case .allow, .deny:
      let verdict: Verdict = outlook.answer == .allow ? .allow : .deny
      try context.store(.change).record(
        AutomaticAnswer(
          verdict, subject: request.subject, capability: request.capability, atoms: request.atoms,
          reason: outlook.reason, decisions: outlook.decisions))
      return verdict == .allow ? .allowed : .denied(explanation: outlook.reason)
    }
  }

  private func end(of request: Request, in store: any PermissionStore) throws -> RequestProgress {
    for entry in try store.journal(JournalFilter(request: request.id), .newest(10)) {
      switch entry.kind {
      case .answered, .automatic: return entry.verdict == .allow ? .allowed : .denied(explanation: entry.text)
      case .dismissed: return .dismissed
      case .withdrawn: return .withdrawn
      case .timedOut: return .timedOut
      default: continue
      }
    }
    return .dismissed
  }

  // MARK: What is asked

  private func makeRequest() throws -> Request {
    guard let seen = ProgramFinder(processes: LinuxProcessTable()).program(behind: getpid()) else {
      throw CommandError("cannot read /proc, so it cannot be told which program asks")
    }
    let now = context.now
    return Request(
      id: Request.ID(question.id), subject: seen.subject(label: question.label),
      capability: reference.capability, atoms: reference.atoms, reason: question.reason, askedAt: now,
      givesUpAt: deadline.map { (deadline: ContinuousClock.Instant) -> Timestamp in
        now + max(.zero, ContinuousClock.now.duration(to: deadline))
      },
      evidence: seen.evidence)
  }

  /// The question for the program's own terminal: yes or no, once, and nothing is kept.
  private func alert() throws -> Alert {
    let request = try makeRequest()
    guard let definition = context.catalogue[reference.capability]?.definition else {
      throw CommandError.usage("there is no capability \(reference.capability)")
    }
    let content = RequestAlert(
      request: request, title: definition.title, action: definition.action(for: reference.atoms),
      explanation: definition.explanation(for: reference.atoms),
      severity: definition.severity(of: reference.atoms),
      choices: [RequirementChoice(atoms: reference.atoms, title: definition.title(for: reference.atoms))],
      identity: request.evidence?.doubt == nil ? .firstTime : .unknown, lifetimes: [LifetimeOffer(.once)])
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }
}
