import Operations
import PermModel

/// The demo's story: eleven programs that start together, as real operations.
///
/// The story is not staged. Each program has conditions, each undecided condition shows its alert, and the
/// person's answers decide the outcome.
struct DemoStory: Sendable {
  let cast: DemoCast
  let store: any PermissionStore
  let slot: ModalSlot
  let queue: OperationQueue
  /// The authorizer from which the programs' authorizers are derived. It belongs to no program.
  let authorizer: Authorizer
  /// The time for which the tracker is allowed to know the location before it has to ask again.
  let trackerTime: Duration
  /// Whether the person types words instead of pressing keys.
  var isPlain = false

  /// A started program of the story.
  struct Part: Sendable {
    let act: DemoAct
    let handle: OperationHandle<String>

    /// Waits until the program has ended, and returns its outcome.
    func line() async -> DemoLine {
      let outcome = await handle.outcome
      return DemoLine(act.name, outcome, output: try? await handle.value, excuse: act.excuse)
    }
  }

  /// Starts all programs. Once the task is cancelled, each ends as soon as it has started. If a program begins by asking, the next one starts only when that program's alert is in line,
  /// so that the alerts appear in the order of the story.
  func start() async throws(StoreError) -> [Part] {
    try cast.allowTracker(for: trackerTime, store)
    let notice = start(opening)
    await untilInLine(Self.openingTitle, orEnded: notice.reference)
    var parts: [Part] = []
    for (act, alert) in await acts() {
      let handle = start(act)
      parts.append(Part(act: act, handle: handle))
      if let alert { await untilInLine(alert, orEnded: handle.reference) }
    }
    // The last of these acts is the tracker's first one. The delay starts when that act has ended.
    let delay = start(DelayOperation(trackerTime), after: parts.suffix(1).map(\.handle))
    parts.append(Part(act: trackerLater, handle: start(trackerLater, after: [delay])))
    return parts
  }

  /// Adds an operation to the queue. Somebody who leaves cancels the task before the operations of the queue, so none of
  /// those that are added later is left.
  private func start<O: Operation>(
    _ operation: O, after others: [any OperationDependency] = []
  ) -> OperationHandle<O.Output> {
    let handle = queue.add(operation, after: others)
    if Task.isCancelled { handle.cancel() }
    return handle
  }

  /// Waits for the end of the story, and returns all outcomes in the story's order.
  ///
  /// - Parameter telling: Receives each program's outcome as soon as it is known, and the number of programs that have
  ///   not ended by then.
  func finish(_ parts: [Part], telling: @escaping @Sendable (DemoLine, _ left: Int) -> Void) async
    -> [DemoLine]
  {
    await withTaskGroup(of: (Int, DemoLine).self) { group in
      for (index, part) in parts.enumerated() {
        group.addTask { (index, await part.line()) }
      }
      var lines: [Int: DemoLine] = [:]
      for await (index, line) in group {
        lines[index] = line
        telling(line, parts.count - lines.count)
      }
      return lines.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Waits until an alert is in line, or until it can no longer come because its operation has ended.
  private func untilInLine(_ summary: String, orEnded operation: OperationReference) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await picture in slot.pictures where picture.alerts.contains(where: { $0.summary == summary }) {
          return
        }
      }
      group.addTask { for await _ in operation.events {} }
      await group.next()
      group.cancelAll()
    }
  }
}

// MARK: - The programs

extension DemoStory {
  private static let keys =
    "Esc sets a request aside. ? explains the keys. In the list behind this, q leaves the demo."
  private static let words =
    "The word later sets a request aside, help explains the words, quit leaves the demo."
  private static let openingTitle = "Eleven programs start"
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

  /// The programs in the story's order, each with the summary of the alert that it shows first; `nil` if it
  /// starts without an alert.
  private func acts() async -> [(DemoAct, alert: String?)] {
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
      (agent, "commands for \(cast.agent.subject.name)"),
      (report, "files for report.ts"),
      (thumbs, nil),
      (invite, nil),
      (trackerFirst, nil),
    ]
  }

  /// Returns an act that performs a capability's example once the capability is allowed.
  private func example<C: CapabilityType>(
    _ program: DemoProgram, _ capability: C, _ reason: String
  ) -> DemoAct {
    let asked = condition(program, capability, reason)
    return DemoAct(name: program.subject.label, conditions: [asked]) { _ in
      try await result(of: capability)
    }
  }

  /// Performs a capability's example, and returns the example's report.
  private func result<C: CapabilityType>(of capability: C) async throws -> String {
    try await capability.example?.run(in: authorizer.environment) ?? "Done."
  }

  private func condition<C: CapabilityType>(
    _ program: DemoProgram, _ capability: C, _ reason: String? = nil
  ) -> AuthorizedFor<C> {
    AuthorizedFor(capability, authorizer: acting(program), reason: reason)
  }

  func acting(_ program: DemoProgram) -> Authorizer {
    authorizer.acting(for: program.subject, evidence: program.evidence)
  }

  /// An act that needs both photos and the cloud. If the photos are denied, the person is never asked about the cloud.
  private var photoImport: DemoAct {
    let conditions: [any OperationCondition] = [
      condition(cast.photoImport, Capability.Photos(.addOnly), "put new pictures in"),
      condition(cast.photoImport, Capability.Cloud(.init([.read])), "fetch them from your account"),
    ]
    var act = DemoAct(name: cast.photoImport.subject.label, conditions: conditions) { _ in
      "Imported from \(try await result(of: Capability.Cloud()))"
    }
    act.excuse = { failed in
      failed.first(AuthorizationError<Capability.Photos.Status>.self) == nil
        ? nil : "photos not allowed, so cloud was never asked"
    }
    return act
  }

  /// An act that does as much as it can if only a part of its request is allowed.
  private var fitness: DemoAct {
    let health = Capability.Health(share: [.steps], read: [.heart])
    let reason = "write the weekly report"
    let authorize = Authorize(health, authorizer: acting(cast.fitness), reason: reason)
    return DemoAct(name: cast.fitness.subject.label, conditions: []) { context in
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

  /// An act that cannot be undone. It therefore asks the person to type a word.
  private var cleanUp: DemoAct {
    let confirmation = Confirmation(
      title: Self.cleanUpTitle, message: "clean-up wants to delete 12 albums for good.",
      action: "Delete", typedWord: "delete")
    let conditions = [UserConfirmationCondition(confirmation, in: slot)]
    var act = DemoAct(name: cast.cleanUp.subject.label, conditions: conditions) { _ in
      "Deleted 12 albums (not really)."
    }
    // A panic refuses every question, as a person does. While one is on, no person can.
    act.excuse = { [store] _ in
      (try? store.suspension()) == nil ? nil : "a panic was on, so nothing could be confirmed"
    }
    return act
  }

  private var videoChat: DemoAct {
    let conditions: [any OperationCondition] = [
      condition(cast.videoChat, Capability.Camera(), "the call with Bo"),
      condition(cast.videoChat, Capability.Microphone(), "the call with Bo"),
    ]
    var act = DemoAct(name: cast.videoChat.subject.label, conditions: conditions) { _ in "The call is on." }
    act.excuse = { failed in
      let errors = failed.failures.map(\.error)
      let isUnasked = errors.contains { error in
        guard case .notGranted(.undecided, _)? = error as? AuthorizationError<Capability.Microphone.Status>
        else { return false }
        return true
      }
      return errors.count > 1 && isUnasked ? "camera not allowed, so microphone was never asked" : nil
    }
    return act
  }

  /// An act that runs only if everything that it needs is already allowed.
  private var thumbs: DemoAct {
    let conditions: [any OperationCondition] = [
      SilentCondition(condition(cast.thumbs, Capability.Photos(.read))),
      SilentCondition(condition(cast.thumbs, Capability.Notifications(.alert))),
    ]
    return DemoAct(name: cast.thumbs.subject.label, conditions: conditions) { _ in
      "Was allowed before, so nobody was asked. \(try await result(of: Capability.Photos(.read)))"
    }
  }

  /// An act that uses an alternative to the contacts. It runs only if reading the contacts is not already allowed.
  private var invite: DemoAct {
    let conditions: [any OperationCondition] = [
      NegatedCondition(SilentCondition(condition(cast.invite, Capability.Contacts(.read)))),
      condition(cast.invite, Capability.Passbook()),
    ]
    return DemoAct(name: cast.invite.subject.label, conditions: conditions) { _ in
      "It may not read your contacts, so it used its own list, and nobody was asked."
    }
  }

  private var trackerFirst: DemoAct {
    tracker(Capability.Location(.whenInUse), "note where you are", "Noted where you are (not really).")
  }

  /// The act in which the tracker comes back after its permission has ended, and asks for more access than it had.
  private var trackerLater: DemoAct {
    tracker(
      Capability.Location(.always), "go on in the background", "Follows you in the background (not really).",
      when: ", later")
  }

  private func tracker(
    _ location: Capability.Location, _ reason: String, _ deed: String, when: String = ""
  ) -> DemoAct {
    let asked = condition(cast.tracker, location, reason)
    return DemoAct(name: cast.tracker.subject.label + when, conditions: [asked]) { _ in deed }
  }
}

/// An operation of the demo: the work of a program, and the conditions under which the work is done.
struct DemoAct: Operation {
  let name: String
  let conditions: [any OperationCondition]
  /// A closure that explains failed conditions better than their errors do, or returns `nil`.
  var excuse: @Sendable (ConditionsFailed) -> String? = { _ in nil }
  let work: @Sendable (OperationContext) async throws -> String

  func execute(_ context: OperationContext) async throws -> String { try await work(context) }
}

/// A reason why a demo program could not do anything with the answers it received.
struct DemoRefusal: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
