import Machine
import Operations
import PermBroker
import PermModel

/// The part of the dashboard that carries out effects. Changes to the store are made one after another, in
/// the order in which the person requested them. The event loop never waits for an effect.
final class DashboardEffects: Sendable {
  let services: DashboardServices
  let send: @Sendable (Action) -> Void
  private let feed: DashboardFeed
  private let changes = AsyncStream.makeStream(of: Effect.self)
  private let changing = Lock<Task<Void, Never>?>(nil)
  /// The last task that sends responses to each machine. Each one waits for the one before.
  private let responding = Lock<[String: Task<Void, Never>]>([:])
  private let tasks = Lock<[Task<Void, Never>]>([])

  /// - Parameter send: Receives reports and results as actions.
  init(
    _ services: DashboardServices, feed: DashboardFeed, send: @escaping @Sendable (Action) -> Void
  ) {
    self.services = services
    self.send = send
    self.feed = feed
  }

  /// Starts making changes, including those that were requested before this call.
  func start() {
    let task = Task.quiet { [weak self, changes] in
      for await effect in changes.stream { await self?.change(effect) }
    }
    changing.withLock { $0 = task }
  }

  func perform(_ effect: Effect) {
    switch effect {
    case .respond(let id, let response, let digest):
      inTurn(on: id.machine) { await $0.respond(id, response, digest) }
    case .reopen(let id): inTurn(on: id.machine) { await $0.reopen(id) }
    // A machine that is slow to reply delays no change here.
    case .answer(let id, _, _) where !id.machine.isEmpty: inTurn(on: id.machine) { await $0.change(effect) }
    case .answerTogether(let requests, _, _) where requests.contains { !$0.machine.isEmpty }:
      inTurn(on: Self.several) { await $0.change(effect) }
    // A panic does not wait for answers to a broker in another process, which might take their time.
    case .setPanic(true):
      own(Task.quiet { self.panic() })
      own(Task.quiet { [machines = services.machines] in await machines?.setPanic(true) })
    case .hold(let isOnHold): services.hold(isOnHold)
    case .askNow(let capability): own(Task.quiet { await self.ask(for: capability) })
    case .runExample(let capability): own(Task.quiet { await self.runExample(of: capability) })
    case .pick, .answer, .answerTogether, .decide, .forget, .forgetUnused, .changeDesktop, .find, .take,
      .takeAll, .takeBack,
      .setPanic,
      .refresh,
      .read:
      changes.continuation.yield(effect)
    case .bell, .title, .copy, .show, .quit: break
    }
  }

  /// Waits until all changes and answers of the person are stored. A broker in another process might not reply, so the wait
  /// is limited.
  func finish() async {
    _ = try? await first(
      of: { [self] in
        // An answer that was too late can end in a change.
        for task in responding.withLock({ Array($0.values) }) { await task.value }
        changes.continuation.finish()
        await changing.withLock(\.self)?.value
        return true
      },
      {
        try await QuietClock.sleep(for: Self.patience)
        return false
      })
  }

  /// The longest time for which the end of the dashboard waits for the last answer to be taken.
  private static let patience = Duration.seconds(5)

  func cancel() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  private func own(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

  func report(_ text: String, isError: Bool = false) {
    send(.reported(Report(text: text, isError: isError)))
  }

}

// MARK: - Responses

extension DashboardEffects {
  /// In place of the id of one machine, that of several.
  private static let several = "several"

  /// Sends a response after all those before it to the same machine, so that what was set aside first is set aside first.
  private func inTurn(on machine: String, _ send: @escaping @Sendable (DashboardEffects) async -> Void) {
    responding.withLock { last in
      last[machine] = Task.quiet { [weak self, last = last[machine]] in
        await last?.value
        if let self { await send(self) }
      }
    }
  }

  private func respond(_ id: Alert.ID, _ response: AlertResponse, _ digest: AlertDigest) async {
    do {
      try await services.alerts.respond(id, response, to: digest)
    } catch AnswerRefused.changed {
      report("Nothing was answered: \(AnswerRefused.changed)", isError: true)
    } catch let unknown as AnswerUnknown {
      report("\(unknown)", isError: true)
    } catch AnswerRefused.notShown where response.verdict == .deny && id.machine.isEmpty {
      changes.continuation.yield(.takeBack(Request.ID(id.text)))
    } catch AnswerRefused.notShown {
      report("It was withdrawn before your answer, which has no effect.", isError: true)
    } catch {
      send(.unanswered(id))
      report("Nothing was answered: \(Report.words(of: error))", isError: true)
    }
  }

  private func reopen(_ id: Alert.ID) async {
    do {
      try await services.alerts.reopen(id)
    } catch {
      report(Report.words(of: error), isError: true)
    }
  }
}

// MARK: - Changes to the store

extension DashboardEffects {
  private func change(_ effect: Effect) async {
    guard isAdmitted(effect) else { return }
    do throws(StoreError) {
      switch effect {
      case .pick(let ids, let verdict): await pick(ids, verdict)
      case .answer(let id, let answer, let digest): await self.answer(id, answer, to: digest)
      case .answerTogether(let requests, let verdict, let lifetime):
        await answerTogether(requests, verdict, lifetime)
      case .decide(let subject, _, let answer): decide(subject, answer)
      case .forget(let scope): try services.store.forget(filter(scope), by: services.origin)
      case .forgetUnused(let ids, let limit): try forget(ids, unusedSince: limit)
      case .changeDesktop(let change, let step): await changeDesktop(change, step)
      case .find(let step): try find(step)
      case .take(let step, let id): try take(step, id)
      case .takeAll(let step, let ids): try take(step, ids)
      case .takeBack(let request): try takeBack(request)
      case .setPanic(let isOn):
        try services.store.setSuspended(isOn, by: services.origin)
        await services.machines?.setPanic(isOn)
      case .read(let needs): await feed.take(needs)
      default: await feed.reload()
      }
    } catch {
      report(Report.words(of: error), isError: true)
    }
  }

  private func panic() {
    do {
      try services.store.setSuspended(true, by: services.origin)
    } catch {
      report(Report.words(of: error), isError: true)
    }
  }

  /// Returns whether this dashboard is allowed to carry out the effect. If it is not, reports the reason.
  private func isAdmitted(_ effect: Effect) -> Bool {
    switch effect {
    case .decide, .forget, .forgetUnused, .changeDesktop, .take, .takeAll, .takeBack, .setPanic: break
    default: return true
    }
    do {
      try services.answering.admitChange()
      return true
    } catch {
      report(Report.words(of: error), isError: true)
      return false
    }
  }

  private func decide(_ subject: Subject, _ answer: Answer) {
    let control = StoreControl(
      services.store, catalogue: services.catalogue, policy: services.settings().policy,
      origin: services.origin)
    do {
      try control.decide(
        Ruling(
          answer.verdict, subject: subject, atoms: answer.atoms, lifetime: answer.lifetime, note: answer.note)
      )
    } catch {
      report("The decision was not stored: \(Report.words(of: error))", isError: true)
    }
  }

  /// Forgets allows, but for those that were used meanwhile.
  private func forget(_ ids: [DecisionRow.ID], unusedSince limit: Timestamp) throws(StoreError) {
    let keys = ids.flatMap { id in id.atoms.map { Decision.Key(subject: id.subject, atom: $0) } }
    let forgotten = try services.store.forget(keys, unusedSince: limit, by: services.origin)
    guard forgotten.count < keys.count else { return }
    report(
      "\(keys.count - forgotten.count) of them stay: they were used or changed meanwhile.", isError: true)
  }

  private func filter(_ scope: ForgetScope) -> DecisionFilter {
    switch scope {
    case .decision(let id):
      DecisionFilter(subject: id.subject, capability: id.capability, atoms: Set(id.atoms))
    case .capability(let name): DecisionFilter(capability: name)
    case .program(let subject): DecisionFilter(subject: subject)
    }
  }

  /// Undoes what a recent allow at another place kept. Without such an allow, the person's denial has no effect.
  private func takeBack(_ request: Request.ID) throws(StoreError) {
    let answers = JournalFilter(kinds: [.answered], request: request)
    guard let answer = try services.store.journal(answers, .newest(1)).first, answer.verdict == .allow,
      answer.origin != .dashboard(id: services.dashboardID)
    else { return report("It was withdrawn before your answer, which has no effect.", isError: true) }
    let name = VisibleText.escaped(answer.subject?.name ?? "")
    let told = "It was already told yes: \(answer.capability ?? "") for \(name)."
    // The decisions that an answer kept are journalled after the answers to all requests that shared the alert.
    let kept = try services.store.journal(.all, .newer(than: answer.id, 200)).first {
      $0.kind == .decided && $0.subject == answer.subject && $0.capability == answer.capability
        && $0.at == answer.at && $0.origin == answer.origin
    }
    guard let change = kept?.change else {
      return send(.warned("Too late: nothing is kept. \(told)"))
    }
    do throws(StoreError) {
      try services.store.take(.undo, of: change, by: services.origin)
    } catch .nothingToUndo {
      // It was taken back already.
      return
    }
    send(.warned("Taken back. \(told)"))
  }

  private func find(_ step: HistoryStep) throws(StoreError) {
    guard let preview = try services.store.preview(step) else {
      return report("There is nothing to \(step.rawValue).")
    }
    send(.found(step, preview))
  }

  /// Undoes or redoes changes that were made together. Those that another has undone or redone meanwhile are left out.
  private func take(_ step: HistoryStep, _ ids: [DecisionChange.ID]) throws(StoreError) {
    var taken: [DecisionChange] = []
    defer { if !taken.isEmpty { send(.tookAll(step, taken)) } }
    for id in ids.reversed() {
      do throws(StoreError) {
        taken.append(try services.store.take(step, of: id, by: services.origin).change)
      } catch .nothingToUndo {
      } catch .nothingToRedo {
      }
    }
    if taken.isEmpty { report("These changes were \(step == .undo ? "undone" : "made again") meanwhile.") }
  }

  private func take(_ step: HistoryStep, _ id: DecisionChange.ID) throws(StoreError) {
    do {
      send(.took(step, try services.store.take(step, of: id, by: services.origin).change))
    } catch .nothingToUndo {
      report("That change was undone meanwhile.")
    } catch .nothingToRedo {
      report("That change was made again meanwhile.")
    }
  }
}

// MARK: - Asking

extension DashboardEffects {
  private func ask(for name: String) async {
    guard let descriptor = services.catalogue[name] else { return }
    let capability = descriptor.capability(asking: descriptor.definition.defaultAtoms)
    do {
      let words = try await ask(for: capability)
      report("\(descriptor.definition.title) for \(services.authorizer.subject.label): \(words).")
    } catch is CancellationError {
    } catch {
      report(error.words, isError: true)
    }
  }

  private func ask<C: CapabilityType>(for capability: C) async throws -> String {
    let handle = services.queue.add(Authorize(capability, authorizer: services.authorizer))
    let status = try await handle.value.status
    return "\(status)"
  }

  private func runExample(of name: String) async {
    guard let descriptor = services.catalogue[name] else { return }
    let outcome: ExampleOutcome
    do {
      let found = try await run(descriptor.capability(asking: descriptor.definition.defaultAtoms))
      outcome = .done(found.split(separator: "\n").map(String.init))
    } catch {
      outcome = .failed(error.words)
    }
    send(.exampleEnded(capability: name, outcome))
  }

  /// Runs the example as any program runs an operation: only if the capability is allowed. If nothing has been decided
  /// yet, the person is asked.
  private func run<C: CapabilityType>(_ capability: C) async throws -> String {
    guard let example = capability.example else { return "There is no example." }
    let operation = ExampleOperation(example: example, probes: services.probes)
    let handle = services.queue.add(
      operation, conditions: [AuthorizedFor(capability, authorizer: services.authorizer)])
    return try await handle.value
  }
}

private struct ExampleOperation: Operation {
  let example: CapabilityExample
  let probes: ProbeEnvironment

  var name: String { example.title }

  func execute(_ context: OperationContext) async throws -> String { try await example.run(in: probes) }
}

extension Error {
  /// The error's message or, if conditions have failed, the messages of their errors.
  fileprivate var words: String {
    guard let failed = self as? ConditionsFailed else { return "\(self)" }
    return failed.failures.map { "\($0.error)" }.joined(separator: "; ")
  }
}
