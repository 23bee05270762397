import Machine
import Operations

// The part of the desk that gets an answer to each prompt and applies the answer.

extension LocalDesk {
  func startPrompt(_ id: RequestBook.PromptID) {
    let task = Task.quiet { await self.prompt(id) }
    // If all waiters left before there was a task to cancel, the task is cancelled now.
    if !book.withLock({ $0.setTask(task, of: id) }) { task.cancel() }
  }

  private func prompt(_ id: RequestBook.PromptID) async {
    guard let prompt = book.withLock({ $0[id] }) else { return }
    let summary = Alert(id: prompt.alert, content: .request(prompt.asking.alertMaker.summaryAlert()))
    do {
      if let later = prompt.later, try await !waitForPlace(later, of: id) { return }
      // If the alert has changed since it was shown, the answer is not valid. Then the current version of the alert is
      // shown.
      var hasEnded = false
      while !hasEnded {
        hasEnded = try await slot.present(
          summary, lease: prompt.asking.lease, refresh: { await self.freshAlert(id) },
          note: { self.note($0, of: id) }, take: { self.take($0, to: id) })
      }
    } catch is CancellationError {
      // All waiters have left, or were answered elsewhere.
    } catch AlertPresenterError.nobodyThere {
      settle(id, .nobodyThere)
    } catch {
      fail(id, error)
    }
  }

  /// Waits until a prompt may have an alert. If it may not, ends the prompt's requests and returns `false`. In the
  /// meantime, the requests are in the store, where they can be answered.
  private func waitForPlace(_ later: LaterPlace, of id: RequestBook.PromptID) async throws -> Bool {
    defer { later.end() }
    do {
      let place = try await later.place()
      book.withLock { $0.setPlace(place, of: id) }
      return true
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      settle(id, .withdrawn(), failing: error)
      return false
    }
  }

  /// Closes a prompt to other requests, and returns the current version of the prompt's alert, which will be shown
  /// next. Returns `nil` if the prompt has ended, for example because decisions have answered it in the meantime.
  private func freshAlert(_ id: RequestBook.PromptID) async -> Alert? {
    do {
      // The alert is made while the request is being written to the disk, and made again if something has changed by
      // then.
      guard let early = book.withLock({ $0[id] }) else { return nil }
      guard let before = try judgementNow(early) else { return nil }
      var content = try await self.content(of: early, before)
      await early.waiters[0].untilOpened()
      guard let prompt = book.withLock({ $0.close(id) }) else { return nil }
      guard let after = try judgementNow(prompt) else { return nil }
      if after != before || prompt.requestIDs != early.requestIDs {
        content = try await self.content(of: prompt, after)
      }
      content.countReach(among: try requests(beside: prompt), at: now)
      let alert = Alert(id: prompt.alert, content: .request(content))
      book.withLock { $0.setShown(alert, asking: after.open, of: id) }
      return alert
    } catch {
      fail(id, error)
      return nil
    }
  }

  private func content(
    of prompt: RequestBook.Prompt, _ judgement: Judgement
  ) async throws -> RequestAlert {
    let asking = prompt.asking
    let open = judgement.open
    let joined = prompt.waiters.dropFirst().map { JoinedRequest($0.request) }
    var content = try asking.alertMaker.alert(asking: open, judgement.decided, joined: joined, in: store)
    if asking.request.facts.dialect == nil {
      content.explanation = await asking.capability.explanation(for: open, in: environment)
    }
    return content
  }

  /// Returns the requests in other prompts that a kept answer could also settle, with the decisions about each of them.
  private func requests(beside prompt: RequestBook.Prompt) throws(StoreError) -> [RequestsBeside] {
    let request = prompt.asking.request
    let others = book.withLock(\.all).filter { other in
      other.id != prompt.id && other.asking.request.subject == request.subject
        && other.asking.request.capability == request.capability
    }
    return try others.map { other throws(StoreError) in
      RequestsBeside(try judgement(on: other.asking), count: other.waiters.count)
    }
  }

  private func note(_ step: ModalSlot.Step, of id: RequestBook.PromptID) {
    if case .setAside = step { book.withLock { $0.reopen(id) } }
    guard let prompt = book.withLock({ $0[id] }) else { return }
    for request in prompt.requestIDs {
      // A request must not fail only because a step of its alert cannot be written to the journal.
      switch step {
      case .shown: try? store.noteShown(request)
      case .setAside(let place): try? store.setAside(request, true, by: place ?? origin)
      case .reopened(let place): try? store.setAside(request, false, by: place ?? origin)
      }
    }
  }

  /// Handles the outcome of a prompt's alert. Returns `false` if the outcome is an answer to an alert that has changed
  /// since it was shown.
  private func take(_ response: AlertResponse, to id: RequestBook.PromptID) -> Bool {
    guard case .answered(let answer) = response else {
      settle(id, .dismissed)
      return true
    }
    do {
      guard let prompt = book.withLock({ $0[id] }), let shown = prompt.shown else { return true }
      try check(answer, to: shown.alert.digest, prompt)
      settle(id, by: answer.withholding(from: shown.open, prompt.asking.capability.definition))
    } catch AnswerRefused.changed {
      return false
    } catch let error as AnswerRefused {
      settle(id, .dismissed, failing: error)
    } catch {
      fail(id, error)
    }
    return true
  }

  /// Checks an answer that was given elsewhere to an alert of this desk. The digest identifies the version of the alert
  /// that the person had read.
  ///
  /// - Throws: ``AnswerRefused``, or any error of the store.
  package func check(_ answer: Answer, to digest: AlertDigest, of alert: Alert.ID) throws {
    guard let prompt = book.withLock({ $0.all.first { $0.alert == alert } }) else {
      throw AnswerRefused.changed
    }
    try check(answer, to: digest, prompt)
  }

  /// Checks an answer against the alert as it would be shown now.
  private func check(_ answer: Answer, to digest: AlertDigest, _ prompt: RequestBook.Prompt) throws {
    guard let judgement = try judgementNow(prompt),
      case .request(let shown)? = prompt.shown?.alert.content
    else { throw AnswerRefused.changed }
    let maker = RequestAlertMaker(shown.request, prompt.asking.capability.definition)
    let now = try maker.alert(asking: judgement.open, judgement.decided, joined: shown.joined, in: store)
    try Alert(id: prompt.alert, content: .request(now)).check(answer, to: digest)
  }

  /// Uses a person's answer to end all requests that wait for a prompt.
  private func settle(_ id: RequestBook.PromptID, by answer: Answer) {
    settle(id) { prompt in
      let closed = try store.answer(prompt.requestIDs, answer, by: answer.origin ?? origin)
      prompt.place?.noteAnswer()
      let at = closed.decisions.map(\.decidedAt).max() ?? now
      try finish(prompt, closed, .answered(GivenAnswer(answer, at: at)))
    }
  }

  /// Ends all requests that wait for a prompt, without an answer from a person.
  ///
  /// - Parameter error: The error that the waiters receive instead of `end`.
  private func settle(
    _ id: RequestBook.PromptID, _ end: RequestEnd, failing error: (any Error)? = nil
  ) {
    settle(id) { prompt in
      let closed = try store.close(prompt.requestIDs, end, by: origin)
      if let error { throw error }
      try finish(prompt, closed, end)
    }
  }

  /// Removes a prompt from the book, and ends its requests, first in the store and then for the waiters.
  private func settle(_ id: RequestBook.PromptID, _ end: (RequestBook.Prompt) throws -> Void) {
    guard let prompt = book.withLock({ $0.take(id) }) else { return }
    do {
      try end(prompt)
    } catch {
      prompt.waiters.forEach { $0.finish(.failure(error)) }
    }
  }

  /// Tells a prompt's waiters how their requests ended. If somebody else has already closed a waiter's request in the
  /// store, the waiter receives the outcome from the store instead.
  private func finish(
    _ prompt: RequestBook.Prompt, _ closed: ClosedRequests, _ end: RequestEnd
  ) throws(StoreError) {
    let here = Set(closed.requests.map(\.id))
    for waiter in prompt.waiters {
      if here.contains(waiter.request.id) {
        waiter.finish(end)
      } else if let other = try self.end(of: waiter.request) {
        waiter.finish(other)
      } else {
        waiter.finishEarly(end)
      }
    }
  }

  private func fail(_ id: RequestBook.PromptID, _ error: any Error) {
    let prompt = book.withLock { $0.take(id) }
    prompt?.waiters.forEach { $0.finish(.failure(error)) }
  }
}

// MARK: Decisions made elsewhere

extension LocalDesk {
  /// Ends the requests that a change in the store has answered or made unnecessary.
  func take(_ change: StoreChange) {
    for entry in change.entries {
      guard let id = entry.request, let end = RequestEnd(entry) else { continue }
      // A person answered, but not in an alert of this desk. An answer on the program's own terminal might come from
      // the program.
      if entry.kind == .answered, entry.origin != .terminal {
        book.withLock { $0.place(of: id) }?.noteAnswer()
      }
      book.withLock { $0.take(id) }.finish(.success(end))
    }
    guard change.entries.contains(where: \.concernsDecisions) else { return }
    for prompt in book.withLock({ $0.all }) { endIfDecided(prompt) }
  }

  /// Ends a prompt and its requests if decisions cover them.
  func endIfDecided(_ prompt: RequestBook.Prompt) {
    do {
      if try judgementNow(prompt) == nil { prompt.task?.cancel() }
    } catch {
      fail(prompt.id, error)
    }
  }

  /// Returns the judgement on a prompt's request. If the request no longer needs an answer, ends the prompt's requests and
  /// returns `nil`.
  private func judgementNow(_ prompt: RequestBook.Prompt) throws(StoreError) -> Judgement? {
    let judgement = try judgement(on: prompt.asking)
    guard let end = judgement.endMeanwhile(at: now) else { return judgement }
    settle(prompt.id, .answered(end))
    return nil
  }

  /// Returns the judgement on a request, under the policy of the time at which it was made and under that of now.
  private func judgement(on asking: Asking) throws(StoreError) -> Judgement {
    let policy = MachinePolicy(asking.policy.restrictions + policies.withLock(\.self).restrictions)
    return try store.judgement(on: asking.request, asking.capability.definition, under: policy)
  }
}

extension Asking {
  fileprivate var alertMaker: RequestAlertMaker { RequestAlertMaker(request, capability.definition) }
}
