import Operations

// How a prompt gets its answer, and what the answer does.

extension LocalDesk {
  func startPrompt(_ id: RequestBook.PromptID) {
    let task = Task { await prompt(id) }
    // Everybody may have left before there was a task to cancel.
    if !book.withLock({ $0.setTask(task, of: id) }) { task.cancel() }
  }

  private func prompt(_ id: RequestBook.PromptID) async {
    guard let prompt = book.withLock({ $0[id] }) else { return }
    let first = RequestAlertMaker(prompt.asking, environment: environment).summaryAlert()
    do {
      let response = try await slot.present(
        first, lease: prompt.asking.lease, refresh: { await self.freshAlert(id) },
        note: { self.note($0, of: id) })
      settle(id, response)
    } catch is CancellationError {
      // Everybody has left, or was answered elsewhere.
    } catch AlertPresenterError.nobodyThere {
      settle(id, .dismissed, as: .nobodyThere)
    } catch {
      fail(id, error)
    }
  }

  /// The alert as it shall be shown now; `nil` if decisions have answered it meanwhile.
  private func freshAlert(_ id: RequestBook.PromptID) async -> Alert? {
    guard let prompt = book.withLock({ $0[id] }) else { return nil }
    do {
      let decided = try decidedNow(prompt)
      guard let open = decided.open else { return nil }
      let maker = RequestAlertMaker(prompt.asking, environment: environment)
      let alert = try await maker.alert(asking: open, store: store)
      book.withLock { $0.setOpen(open, of: id) }
      return alert
    } catch {
      fail(id, error)
      return nil
    }
  }

  private func note(_ step: ModalSlot.Step, of id: RequestBook.PromptID) {
    guard let prompt = book.withLock({ $0[id] }) else { return }
    for request in prompt.requestIDs {
      // The journal's lines about showing are worth no request.
      switch step {
      case .shown: try? store.noteShown(request)
      case .setAside: try? store.setAside(request, true, by: origin)
      case .reopened: try? store.setAside(request, false, by: origin)
      }
    }
  }

  /// Ends all requests that wait for a prompt by what became of its alert. The store knows before they do.
  @discardableResult
  func settle(
    _ id: RequestBook.PromptID, _ response: AlertResponse, as end: AskingEnd = .dismissed
  ) -> Bool {
    guard let prompt = book.withLock({ $0.take(id) }) else { return false }
    do {
      guard case .answered(let answer) = response else {
        try finish(prompt, try store.close(prompt.requestIDs, .dismissed, by: origin), end)
        return true
      }
      let full = answer.withholding(from: prompt)
      let closed = try store.close(prompt.requestIDs, .answered(full), by: answer.origin ?? origin)
      let at = closed.decisions.map(\.decidedAt).max() ?? now
      try finish(prompt, closed, .answered(GivenAnswer(full, at: at)))
    } catch {
      prompt.waiters.forEach { $0.finish(.failure(error)) }
    }
    return true
  }

  /// Ends those who wait for a prompt: by what closed their request in the store, if that was somebody else.
  private func finish(
    _ prompt: RequestBook.Prompt, _ closed: ClosedRequests, _ end: AskingEnd
  ) throws(StoreError) {
    let here = Set(closed.requests.map(\.id))
    for waiter in prompt.waiters {
      if here.contains(waiter.request.id) {
        waiter.finish(end)
      } else if let other = try endElsewhere(waiter.request) {
        waiter.finish(other)
      } else {
        waiter.finishLate(end)
      }
    }
  }

  private func fail(_ id: RequestBook.PromptID, _ error: any Error) {
    let prompt = book.withLock { $0.take(id) }
    prompt?.waiters.forEach { $0.finish(.failure(error)) }
  }
}

// MARK: What others decide

extension LocalDesk {
  /// Ends the requests that a change of the store has answered.
  func take(_ change: StoreChange) {
    for entry in change.entries {
      guard let id = entry.request, let end = entry.end else { continue }
      let taken = book.withLock { $0.take(id) }
      taken.waiters.forEach { $0.finish(end) }
      taken.orphan?.cancel()
    }
    guard change.entries.contains(where: \.concernsDecisions) else { return }
    for prompt in book.withLock({ $0.all }) {
      do {
        // Whoever is covered is ended by looking.
        if try decidedNow(prompt).open == nil { prompt.task?.cancel() }
      } catch {
        fail(prompt.id, error)
      }
    }
  }

  /// What of a prompt is still undecided; `nil` if nothing is. Then its requests have been ended.
  private func decidedNow(
    _ prompt: RequestBook.Prompt
  ) throws(StoreError) -> (open: Set<Atom>?, decided: DecidedAtoms) {
    let request = prompt.asking.request
    let standing = try store.standing(of: request.subject, capability: request.capability)
    let decided = DecidedAtoms(
      prompt.asking.capability.definition, standing: standing, restricted: prompt.asking.restricted)
    let open = decided.atoms(request.atoms, in: [.undecided])
    guard open.isEmpty || standing.mute != nil else { return (open, decided) }
    guard let taken = book.withLock({ $0.take(prompt.id) }) else { return (nil, decided) }
    let verdict: Verdict = decided.allows(request.atoms) ? .allow : .deny
    let reason = open.isEmpty ? "decided meanwhile" : "muted"
    do throws(StoreError) {
      let closed = try store.close(taken.requestIDs, .automatic(verdict, reason: reason), by: origin)
      try finish(taken, closed, .answered(GivenAnswer(denied: open, at: now)))
    } catch {
      taken.waiters.forEach { $0.finish(.failure(error)) }
    }
    return (nil, decided)
  }

  /// How a request ended that somebody else closed first; `nil` if it is not in the store yet.
  private func endElsewhere(_ request: Request) throws(StoreError) -> AskingEnd? {
    let entries = try store.journal(JournalFilter(request: request.id), .newest(20))
    if entries.isEmpty { return nil }
    return entries.lazy.compactMap(\.end).first ?? .dismissed
  }
}

extension JournalEntry {
  /// How the request that it tells of ended; `nil` if it did not.
  package var end: AskingEnd? {
    switch kind {
    case .answered,
      .automatic where request != nil:
      let given = verdict == .allow ? GivenAnswer(allowed: atoms, at: at) : GivenAnswer(denied: atoms, at: at)
      return .answered(given)
    case .dismissed, .withdrawn: return .dismissed
    case .timedOut: return .timedOut
    default: return nil
    }
  }
}

extension Answer {
  /// The answer with what a narrower yes leaves out of what the alert asked.
  fileprivate func withholding(from prompt: RequestBook.Prompt) -> Answer {
    guard verdict == .allow else { return self }
    var full = self
    let definition = prompt.asking.capability.definition
    let asked = prompt.open.isEmpty ? prompt.asking.request.atoms : prompt.open
    full.withheld = asked.filter { atom in !atoms.contains { definition.covers($0, atom) } }
    return full
  }
}

extension GivenAnswer {
  init(_ answer: Answer, at moment: Timestamp) {
    switch answer.verdict {
    case .allow: self.init(allowed: answer.atoms, denied: answer.withheld, at: moment)
    case .deny: self.init(denied: answer.atoms, at: moment)
    }
  }
}
