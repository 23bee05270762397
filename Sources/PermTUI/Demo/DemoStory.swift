import Operations
import PermModel

/// The demo's story: nine programs that start together, as real operations.
///
/// The story is not staged: each program has conditions, undecided ones show their alert, and the person's answers
/// decide the outcome.
struct DemoStory: Sendable {
  let cast: DemoCast
  let store: any PermissionStore
  let slot: ModalSlot
  let queue: OperationQueue
  /// The authorizer through which all programs ask; it does not belong to any one of them.
  let authorizer: Authorizer
  /// The time for which the tracker may know the location before it has to ask again.
  let trackerTime: Duration
  /// Whether the person types words instead of pressing keys.
  var isPlain = false

  /// A program at work.
  struct Part: Sendable {
    let program: String
    let handle: OperationHandle<String>
    let excuse: @Sendable (ConditionsFailed) -> String?

    init(_ act: DemoAct, _ handle: OperationHandle<String>) {
      program = act.name
      self.handle = handle
      excuse = act.excuse
    }
  }

  /// Starts all programs. Each program that asks has its alert in the line before the next one starts, so the line has
  /// the story's order.
  func start() async throws(StoreError) -> [Part] {
    try cast.allowTracker(for: trackerTime, store)
    let notice = queue.add(opening)
    await untilInLine(Self.openingTitle, orEnded: notice.reference)
    var parts: [Part] = []
    for (act, alert) in acts {
      let handle = queue.add(act)
      parts.append(Part(act, handle))
      if let alert { await untilInLine(alert, orEnded: handle.reference) }
    }
    // The last act is the tracker's first part, which runs at once.
    let delay = queue.add(DelayOperation(trackerTime), after: parts.suffix(1).map(\.handle))
    parts.append(Part(trackerLater, queue.add(trackerLater, after: [delay])))
    return parts
  }

  /// Waits for the end of the story, reports each program's outcome as it becomes known, and returns the report.
  func finish(_ parts: [Part], telling: @escaping @Sendable (DemoLine) -> Void) async -> DemoReport {
    await withTaskGroup(of: (Int, DemoLine).self) { group in
      for (index, part) in parts.enumerated() {
        group.addTask { (index, await part.line()) }
      }
      var lines: [Int: DemoLine] = [:]
      for await (index, line) in group {
        telling(line)
        lines[index] = line
      }
      return DemoReport(lines: lines.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  /// Waits until an alert is in the line, or can no longer come.
  private func untilInLine(_ summary: String, orEnded operation: OperationReference) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await snapshot in slot.snapshots where snapshot.contains(summary) { return }
      }
      group.addTask { for await _ in operation.events {} }
      await group.next()
      group.cancelAll()
    }
  }
}

extension DemoStory.Part {
  /// Returns its outcome, once it has ended.
  func line() async -> DemoLine {
    let outcome = await handle.outcome
    return DemoLine(program, outcome, output: try? await handle.value, excuse: excuse)
  }
}

extension ModalSnapshot {
  fileprivate func contains(_ summary: String) -> Bool {
    showing?.summary == summary || (waiting + setAside).contains { $0.summary == summary }
  }
}

// MARK: - The programs

extension DemoStory {
  private static let keys =
    "Esc sets a request aside. ? explains the keys. In the list behind this, q leaves the demo."
  private static let words =
    "The word later sets a request aside, help explains the words, quit leaves the demo."
  private static let openingTitle = "Nine programs start"
  private static let cleanUpTitle = "Delete 12 albums?"

  private var opening: AlertOperation {
    AlertOperation(
      title: Self.openingTitle,
      message: """
        They all run at once, and most of them want something of yours. You see one alert at a time; the others \
        wait in line. Answer as you like: this is a demo, and its store is thrown away.

        \(isPlain ? Self.words : Self.keys)
        """, in: slot)
  }

  /// The programs in the story's order, and the summary of the alert that each begins with.
  private var acts: [(DemoAct, alert: String?)] {
    [
      (
        example(cast.reminders, Capability.Calendar(.reminders), "tell what is due next"),
        "calendar for reminders"
      ),
      (photoImport, "photos for photo-import"),
      (fitness, "health for fitness"),
      (example(cast.impostor, Capability.Photos(.read), "copy the pictures to the NAS"), "photos for backup"),
      (cleanUp, Self.cleanUpTitle),
      (videoChat, "camera for video-chat"),
      (thumbs, nil),
      (invite, nil),
      (example(cast.tracker, Capability.Location(.whenInUse), "note where you are"), nil),
    ]
  }

  /// Returns an act that performs a capability's example once the capability is allowed.
  private func example<C: CapabilityType>(
    _ program: DemoProgram, _ capability: C, _ reason: String
  ) -> DemoAct {
    let environment = authorizer.environment
    let asked = condition(program, capability, reason)
    return DemoAct(program.subject.label, [asked]) { _ in
      try await capability.example?.run(in: environment) ?? "Done."
    }
  }

  private func condition<C: CapabilityType>(
    _ program: DemoProgram, _ capability: C, _ reason: String? = nil
  ) -> AuthorizedFor<C> {
    AuthorizedFor(capability, authorizer: acting(program), reason: reason)
  }

  private func acting(_ program: DemoProgram) -> Authorizer {
    authorizer.acting(for: program.subject, evidence: program.evidence)
  }

  /// An act that needs both photos and the cloud. If the photos are denied, the cloud is never asked about.
  private var photoImport: DemoAct {
    let environment = authorizer.environment
    let conditions: [any OperationCondition] = [
      condition(cast.photoImport, Capability.Photos(.addOnly), "put new pictures in"),
      condition(cast.photoImport, Capability.Cloud(.init([.read])), "fetch them from your account"),
    ]
    var act = DemoAct(cast.photoImport.subject.label, conditions) { _ in
      let accounts = try await Capability.Cloud().example?.run(in: environment) ?? ""
      return "Imported from \(accounts)"
    }
    act.excuse = { failed in
      failed.first(AuthorizationError<Capability.Photos.Status>.self) == nil
        ? nil : "photos not allowed, so cloud was never asked"
    }
    return act
  }

  /// An act that makes the best of a partial yes.
  private var fitness: DemoAct {
    let health = Capability.Health(share: [.steps], read: [.heart])
    let reason = "write the weekly report"
    let authorize = Authorize(health, authorizer: acting(cast.fitness), reason: reason)
    return DemoAct(cast.fitness.subject.label, []) { context in
      let status = try await context.run(authorize).status
      let steps = status.share[.steps] == .allowed
      let heart = status.read[.heart] == .allowed
      switch (steps, heart) {
      case (true, true): return "Reported on the heart rate, and added the steps."
      case (true, false): return "Added the steps; the heart rate stays private."
      case (false, true): return "Reported on the heart rate; the steps were not added."
      case (false, false): throw DemoRefusal(reason: "neither steps nor heart rate is allowed")
      }
    }
  }

  /// An act that asks for a typed word, since it cannot be undone.
  private var cleanUp: DemoAct {
    let confirmation = Confirmation(
      title: Self.cleanUpTitle, message: "clean-up wants to delete 12 albums for good.",
      action: "Delete", typedWord: "delete")
    return DemoAct(
      cast.cleanUp.subject.label, [UserConfirmationCondition(confirmation, in: slot)]
    ) { _ in "Deleted 12 albums (not really)." }
  }

  private var videoChat: DemoAct {
    let conditions: [any OperationCondition] = [
      condition(cast.videoChat, Capability.Camera(), "the call with Bo"),
      condition(cast.videoChat, Capability.Microphone(), "the call with Bo"),
    ]
    return DemoAct(cast.videoChat.subject.label, conditions) { _ in "The call is on." }
  }

  /// An act that runs only if it need not ask.
  private var thumbs: DemoAct {
    let environment = authorizer.environment
    let conditions: [any OperationCondition] = [
      SilentCondition(condition(cast.thumbs, Capability.Photos(.read))),
      SilentCondition(condition(cast.thumbs, Capability.Notifications(.alert))),
    ]
    return DemoAct(cast.thumbs.subject.label, conditions) { _ in
      let pictures = try await Capability.Photos(.read).example?.run(in: environment) ?? ""
      return "Asked nobody. \(pictures)"
    }
  }

  /// The alternative, taken only if the direct way is closed.
  private var invite: DemoAct {
    let environment = authorizer.environment
    let conditions: [any OperationCondition] = [
      NegatedCondition(SilentCondition(condition(cast.invite, Capability.Contacts(.read)))),
      condition(cast.invite, Capability.Passbook()),
    ]
    return DemoAct(cast.invite.subject.label, conditions) { _ in
      let passes = try await Capability.Passbook().example?.run(in: environment) ?? ""
      return "Asked nobody, and took its own list of addresses. \(passes)"
    }
  }

  /// An act that returns when its time is over, and asks for more than it had.
  private var trackerLater: DemoAct {
    let environment = authorizer.environment
    let always = Capability.Location(.always)
    let asked = condition(cast.tracker, always, "go on in the background")
    return DemoAct("\(cast.tracker.subject.label), later", [asked]) { _ in
      try await always.example?.run(in: environment) ?? "Done."
    }
  }
}

/// The work of a program of the demo, and its conditions.
struct DemoAct: Operation {
  let name: String
  let conditions: [any OperationCondition]
  /// Returns more about failed conditions than their errors say.
  var excuse: @Sendable (ConditionsFailed) -> String? = { _ in nil }
  private let work: @Sendable (OperationContext) async throws -> String

  init(
    _ name: String, _ conditions: [any OperationCondition],
    work: @escaping @Sendable (OperationContext) async throws -> String
  ) {
    self.name = name
    self.conditions = conditions
    self.work = work
  }

  func execute(_ context: OperationContext) async throws -> String { try await work(context) }
}

/// A reason why a demo program could not do anything with the answers that it received.
struct DemoRefusal: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
