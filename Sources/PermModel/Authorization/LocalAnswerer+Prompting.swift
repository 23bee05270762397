import Machine
import Operations

// The part of the answerer that makes alerts for the board, and stores their answers.

extension LocalAnswerer: AlertSource {
  package func make(_ alert: Alert.ID, for requests: ItemRequests) async -> AlertMaking {
    do {
      // The alert is made while the requests are being written to the disk, and made again if something has changed by
      // then.
      guard let early = try look(requests) else { return .ended([:]) }
      if let end = early.end { return .ended(try close(early, .answered(end))) }
      var content = try await self.content(early)
      for waiter in early.waiters { await waiter.untilOpened() }
      guard let now = try look(requests) else { return .ended([:]) }
      if let end = now.end { return .ended(try close(now, .answered(end))) }
      if now.judgement != early.judgement || now.requestIDs != early.requestIDs {
        content = try await self.content(now)
      }
      content.countReach(among: try requestsBeside(alert, now.request), at: self.now)
      return .made(Alert(id: alert, content: .request(content)))
    } catch {
      return .ended(failed(requests, error))
    }
  }

  package func judge(_ requests: ItemRequests) async -> [Request.ID: Board.Outcome] {
    do {
      guard let prompt = try look(requests), let end = prompt.end else { return [:] }
      return try close(prompt, .answered(end))
    } catch {
      return failed(requests, error)
    }
  }

  package func settle(
    _ alert: Alert, _ closing: Board.Closing, _ requests: ItemRequests
  ) async -> AlertSettling {
    do {
      switch closing {
      case .response(.answered(let answer), let digest?):
        return await settle(requests, by: answer, to: digest, of: alert)
      case .failure(let error as AnswerRefused):
        _ = try look(requests).map { try close($0, .dismissed) }
        return .ended(failed(requests, error))
      case .failure(AlertPresenterError.nobodyThere):
        return .ended(try look(requests).map { try close($0, .nobodyThere) } ?? [:])
      case .failure(let error): return .ended(failed(requests, error))
      case .response: return .ended(try look(requests).map { try close($0, .dismissed) } ?? [:])
      }
    } catch {
      return .ended(failed(requests, error))
    }
  }

  package func note(_ step: Board.Step, of requests: [Request.ID]) {
    for request in requests {
      // A request must not fail only because a step of its alert cannot be written to the journal.
      switch step {
      case .shown: try? store.noteShown(request)
      case .setAside(let place): try? store.setAside(request, true, by: place ?? origin)
      case .reopened(let place): try? store.setAside(request, false, by: place ?? origin)
      }
    }
  }

  private func failed(_ requests: ItemRequests, _ error: any Error) -> [Request.ID: Board.Outcome] {
    Dictionary(uniqueKeysWithValues: requests.ids.map { ($0, .failed(error)) })
  }
}

// MARK: Making

extension LocalAnswerer {
  /// The requests of an alert that still wait, with the judgement on them.
  private struct Prompt {
    var waiters: [RequestWaiter]
    var judgement: Judgement
    /// The answer if the requests no longer need a person.
    var end: GivenAnswer?

    /// The request that the alert shows. Of the requests that still wait, it has waited the longest.
    var asking: Asking { waiters[0].asking }
    var request: Request { asking.request }
    var requestIDs: [Request.ID] { waiters.map(\.request.id) }
  }

  /// Returns those of an alert's requests that still wait; `nil` if none does.
  private func look(
    _ requests: ItemRequests, except refused: Set<Request.ID> = []
  ) throws(StoreError) -> Prompt? {
    let waiters = keeper.waiters(of: requests).filter { !refused.contains($0.request.id) }
    guard let first = waiters.first else { return nil }
    let judgement = try judgement(on: first.asking)
    return Prompt(waiters: waiters, judgement: judgement, end: judgement.endMeanwhile(at: now))
  }

  /// Returns the judgement on a request, under the policy of the time at which it was made and under that of now.
  private func judgement(on asking: Asking) throws(StoreError) -> Judgement {
    let policy = MachinePolicy(asking.policy.restrictions + policy.restrictions)
    return try store.judgement(on: asking.request, capability(of: asking).definition, under: policy)
  }

  private func content(_ prompt: Prompt) async throws -> RequestAlert {
    let (asking, open) = (prompt.asking, prompt.judgement.open)
    let joined = prompt.waiters.dropFirst().map { JoinedRequest($0.request) }
    let capability = capability(of: asking)
    var content = try RequestAlertMaker(asking.request, capability.definition).alert(
      asking: open, prompt.judgement.decided, joined: joined, in: store)
    if asking.request.facts.dialect != .deno {
      content.explanation = await capability.type.explanation(for: open, in: environment)
    }
    return content
  }

  /// Returns the requests of other alerts that a kept answer could also settle, with the decisions about each of them.
  private func requestsBeside(
    _ alert: Alert.ID, _ request: Request
  ) throws(StoreError) -> [RequestsBeside] {
    let others = keeper.waiters(beside: alert, request, from: self)
    return try others.map { other throws(StoreError) in
      RequestsBeside(try judgement(on: other.first.asking), count: other.count)
    }
  }
}

// MARK: Answering

extension LocalAnswerer {
  /// Checks an answer against the alert as it would be shown now.
  private func check(
    _ answer: Answer, to digest: AlertDigest, of alert: Alert, _ prompt: Prompt
  ) throws {
    guard prompt.end == nil, case .request(let shown) = alert.content else { throw AnswerRefused.changed }
    let maker = RequestAlertMaker(shown.request, capability(of: prompt.asking).definition)
    let now = try maker.alert(
      asking: prompt.judgement.open, prompt.judgement.decided, joined: shown.joined, in: store)
    try Alert(id: alert.id, content: .request(now)).check(answer, to: digest)
  }

  /// Uses a person's answer to end all requests of an alert.
  private func settle(
    _ requests: ItemRequests, by answer: Answer, to digest: AlertDigest, of alert: Alert
  ) async -> AlertSettling {
    let refused = await beforeAnswer(requests.ids)
    do {
      guard let prompt = try look(requests, except: refused) else { return .ended([:]) }
      return try settle(prompt, by: answer, to: digest, of: alert)
    } catch AnswerRefused.changed {
      return .changed
    } catch {
      return .refused(error)
    }
  }

  private func settle(
    _ prompt: Prompt, by answer: Answer, to digest: AlertDigest, of alert: Alert
  ) throws -> AlertSettling {
    if let end = prompt.end { return .ended(try close(prompt, .answered(end))) }
    try check(answer, to: digest, of: alert, prompt)
    let answer = answer.withholding(from: prompt.judgement.open, capability(of: prompt.asking).definition)
    let closed = try store.answer(prompt.requestIDs, answer, by: answer.origin ?? origin)
    let at = closed.decisions.map(\.decidedAt).max() ?? now
    return .ended(try outcomes(of: prompt, closed, .answered(GivenAnswer(answer, at: at))), isAnswered: true)
  }

  /// Ends all requests of an alert, without an answer from a person.
  private func close(_ prompt: Prompt, _ end: RequestEnd) throws(StoreError) -> [Request.ID: Board.Outcome] {
    try outcomes(of: prompt, store.close(prompt.requestIDs, end, by: origin), end)
  }

  /// Returns how an alert's requests ended. If somebody else has already closed a request in the store, its outcome is
  /// that of the store.
  private func outcomes(
    of prompt: Prompt, _ closed: ClosedRequests, _ end: RequestEnd
  ) throws(StoreError) -> [Request.ID: Board.Outcome] {
    let here = Set(closed.requests.map(\.id))
    var outcomes: [Request.ID: Board.Outcome] = [:]
    for request in prompt.waiters.map(\.request) {
      outcomes[request.id] =
        if here.contains(request.id) { .ended(end) } else {
          try self.end(of: request).map { .ended($0) } ?? .endedEarly(end)
        }
    }
    return outcomes
  }
}

// MARK: Decisions made elsewhere

extension LocalAnswerer {
  /// Ends the requests that a change in the store has answered or made unnecessary.
  func take(_ change: StoreChange) {
    let ends = change.entries.compactMap { entry in
      entry.request.flatMap { id in
        RequestEnd(entry).map { end in
          // An answer on the program's own terminal might come from the program.
          (id, end, isAnswered: entry.kind == .answered && entry.origin != .terminal)
        }
      }
    }
    keeper.take(ends, areDecisionsChanged: change.entries.contains(where: \.concernsDecisions))
  }
}
