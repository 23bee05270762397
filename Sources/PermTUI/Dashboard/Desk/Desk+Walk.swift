import PermModel

/// A walk through everything that waits, one request after the other, which ends when nothing is left.
struct Walk: Sendable {
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
  /// If no alert is open, picks the next request, or ends the walk. Only the broker knows which requests are on other
  /// screens, so the walk begins once it is known who the broker is.
  mutating func walkOn(_ room: AlertRoom) -> [Effect] {
    guard let walk, room != .none, form == nil, walk.picking == nil, !walk.mustWait, data.isLoaded,
      !data.connection.isEmpty
    else {
      return []
    }
    let next = waitingByProgram.lazy.filter(\.isOfThisMachine).compactMap(\.request).first {
      !walk.passed.contains($0.id)
    }
    guard let next else {
      let isClosing = data.waiting.contains { item in
        item.request.map { walk.answered.contains($0.id) } ?? false
      }
      return isClosing ? [] : [.quit(isInterrupt: false)]
    }
    self.walk?.picking = next.id
    self.walk?.passed.insert(next.id)
    return [.pick([Alert.ID(next.id.text)], nil)]
  }

  /// Notes the meaning of an action for the walk. A request whose answer was refused is shown again.
  mutating func noteWalk(_ action: Action) {
    switch action {
    case .picked: walk?.picking = nil
    case .reported(let report) where report.isError:
      if let id = walk?.picking { walk?.passed.remove(id) }
      // The next change of the data tries again, so that a broker that has gone does not keep this busy.
      walk?.mustWait = true
      walk?.picking = nil
      let refused = walk?.answered ?? []
      walk?.passed.subtract(refused)
      walk?.answered = []
    case .changed: walk?.mustWait = false
    default: break
    }
  }
}
