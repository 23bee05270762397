import Machine
import Operations

// The requests and other alerts that come to the board, and how they leave it.

extension BoardKeeper {
  /// Takes a request. Its wait ends when its waiter's outcome is set.
  ///
  /// - Throws: The reason why the request gets no alert.
  func ask(
    _ question: Board.Question, _ waiter: RequestWaiter, from source: any AlertSource
  ) throws(RequestLimits.Refusal) {
    let now = now
    try change { state throws(RequestLimits.Refusal) in
      try state.board.ask(question, at: now)
      state.waiters[question.id] = waiter
      guard let id = state.board.homes[question.id], state.items[id] == nil else { return }
      state.items[id] = Record(source: source, lease: waiter.asking.lease)
    }
  }

  /// Notes that a request is in the store.
  func stored(_ id: Request.ID) { change { $0.board.stored(id) } }

  /// Ends the wait for a request, unless it has ended already.
  func leave(_ id: Request.ID, _ outcome: Board.Outcome) { change { $0.board.leave(id, outcome) } }

  /// Takes the ends of requests in the store, and looks at all others again if decisions have changed.
  func take(_ ends: [(Request.ID, RequestEnd, isAnswered: Bool)], areDecisionsChanged: Bool) {
    guard !ends.isEmpty || areDecisionsChanged else { return }
    change { state in
      for (id, end, isAnswered) in ends { state.board.ended(id, end, isAnswered: isAnswered) }
      if areDecisionsChanged { state.board.decisionsChanged() }
    }
  }

  /// Makes the alert that is up again, because the settings that it was made with have changed.
  func settingsChanged() { change { $0.board.settingsChanged() } }

  /// Shows a confirmation or a notice as soon as the slot is free.
  func present(_ alert: Alert, lease: ExclusionLease?, from source: any AlertSource) -> Board.Item.ID {
    change { state in
      let id = state.board.present(alert, hasLease: lease != nil)
      state.items[id] = Record(source: source, lease: lease)
      return id
    }
  }

  /// Takes a confirmation or a notice off the board.
  func withdraw(_ id: Board.Item.ID) { change { $0.board.remove(id) } }

  // MARK: Looking

  /// Returns those of the requests that still wait in their item, in the given order.
  ///
  /// The board says whether a request waits, because a waiter is told of the end only a little later.
  func waiters(of requests: ItemRequests) -> [RequestWaiter] {
    state.withLock { state in
      requests.ids.filter { state.board.homes[$0] == requests.item }.compactMap { state.waiters[$0] }
    }
  }

  /// Returns the first request of each other item by which the same program asks for the same capability, and the number
  /// of the item's requests.
  ///
  /// - Parameter source: Only items of this source are returned.
  func waiters(
    beside alert: Alert.ID, _ request: Request, from source: any AlertSource
  ) -> [(first: RequestWaiter, count: Int)] {
    state.withLock { state in
      state.waiters.values.filter { $0.request.isOfSameProgram(as: request) }.compactMap { waiter in
        guard let item = state.board.homes[waiter.request.id].flatMap({ state.board.items[$0] }),
          item.alert != alert, item.requests.first == waiter.request.id,
          state.items[item.id]?.source === source
        else { return nil }
        return (waiter, item.requests.count)
      }
    }
  }
}
