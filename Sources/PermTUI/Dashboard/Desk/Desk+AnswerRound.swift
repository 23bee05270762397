import PermModel

/// A round of answers through everything that waits, one request after the other, which ends when nothing is left.
struct AnswerRound: Sendable {
  /// The requests that were already shown: answered, or left for later.
  var passed: Set<Request.ID> = []
  /// The requests that were answered. The store might not have closed them yet.
  var answered: Set<Request.ID> = []
  /// The request that is being read in order to be shown.
  var picking: Request.ID?
  /// Whether to wait for a change before the next request is picked.
  var mustWait = false
}

extension Desk {
  /// If no alert is open, picks the next request, or ends the round. Only the broker knows which requests are on other
  /// screens, so the round begins once it is known who the broker is.
  mutating func nextInRound(_ room: AlertPolicy) -> [Effect] {
    guard let round, room != .none, form == nil, round.picking == nil, !round.mustWait, data.isLoaded,
      !data.connection.isEmpty
    else {
      return []
    }
    let next = waitingByProgram.lazy.filter(\.isOfThisMachine).compactMap(\.request).first {
      !round.passed.contains($0.id)
    }
    guard let next else {
      let isClosing = data.waiting.contains { item in
        item.request.map { round.answered.contains($0.id) } ?? false
      }
      return isClosing ? [] : [.quit(isInterrupt: false)]
    }
    self.round?.picking = next.id
    self.round?.passed.insert(next.id)
    return [.pick([Alert.ID(next.id.text)], nil)]
  }

  /// Notes the meaning of an action for the round. A request whose answer was refused is shown again.
  mutating func noteRound(_ action: Action) {
    switch action {
    case .picked: round?.picking = nil
    case .reported(let report) where report.isError:
      if let id = round?.picking { round?.passed.remove(id) }
      // The next change of the data tries again, so that a broker that has gone does not keep this busy.
      round?.mustWait = true
      round?.picking = nil
      let refused = round?.answered ?? []
      round?.passed.subtract(refused)
      round?.answered = []
    case .changed: round?.mustWait = false
    default: break
    }
  }
}
