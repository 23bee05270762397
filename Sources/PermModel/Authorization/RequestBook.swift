import Operations

/// A record of the prompts, and of the requests that wait for each prompt. It is accessed only while a lock is held.
///
/// The caller that removes a waiter from the book also ends that waiter. Therefore each waiter ends only once.
struct RequestBook: Sendable {
  typealias PromptID = UInt64

  /// A prompt and, in order of arrival, the requests that wait for its answer.
  struct Prompt {
    let id: PromptID
    /// The alert's id, which is the id of the request that began the prompt. It stays the same even if that
    /// request leaves.
    let alert: Alert.ID
    /// The request that the alert shows. Of the requests that are still waiting, it has waited the longest.
    var asking: Asking { waiters[0].asking }
    var waiters: [RequestWaiter]
    /// The alert on the screen, and the atoms that the alert asks about. Requests that join the prompt later
    /// are not part of this alert.
    var shown: (alert: Alert, open: Set<Atom>)?
    var task: Task<Void, Never>?
    /// The alert's place among the alerts that wait. It is kept until the last waiter has left.
    var place: AlertPlace?
    /// The right to wait for a place, until there is one.
    var later: LaterPlace?

    var requestIDs: [Request.ID] { waiters.map(\.asking.request.id) }
  }

  /// The waiters that were removed from the book. If their prompt has no waiters left, ``orphan`` is the prompt's task,
  /// which is no longer needed.
  struct Taken {
    var waiters: [RequestWaiter] = []
    var orphan: Task<Void, Never>?

    func finish(_ end: RequestWaiter.End) {
      waiters.forEach { $0.finish(end) }
      orphan?.cancel()
    }
  }

  private var prompts: [PromptID: Prompt] = [:]
  /// The prompts that other requests can still join.
  private var open: [AlertKey: PromptID] = [:]
  private var next: PromptID = 0

  /// All prompts, from the oldest to the newest.
  var all: [Prompt] { prompts.values.sorted { $0.id < $1.id } }

  subscript(id: PromptID) -> Prompt? { prompts[id] }

  /// Adds a waiter to an existing prompt or to a new one. If the prompt is new, returns its id; the caller must then
  /// show the prompt.
  ///
  /// A request with a lease always gets its own prompt, because a shared prompt would depend on the operation that
  /// holds the lease.
  mutating func join(_ waiter: RequestWaiter) throws -> PromptID? {
    let asking = waiter.asking
    let key = AlertKey(asking.request)
    if asking.lease == nil, let id = open[key] {
      prompts[id]?.waiters.append(waiter)
      return nil
    }
    let offer = try asking.takePlace?()
    next += 1
    if asking.lease == nil { open[key] = next }
    var prompt = Prompt(id: next, alert: Alert.ID(asking.request.id.text), waiters: [waiter])
    switch offer {
    case .taken(let place)?: prompt.place = place
    case .later(let later)?: prompt.later = later
    case nil: break
    }
    prompts[next] = prompt
    return next
  }

  /// Gives a prompt the place for which it has waited.
  mutating func setPlace(_ place: AlertPlace, of id: PromptID) {
    prompts[id]?.place = place
    prompts[id]?.later = nil
  }

  /// Returns the place of the alert that asks about a request.
  func place(of id: Request.ID) -> AlertPlace? {
    prompts.values.first { $0.requestIDs.contains(id) }?.place
  }

  /// Stores the task that shows a prompt. Returns `false` if the prompt no longer exists.
  mutating func setTask(_ task: Task<Void, Never>, of id: PromptID) -> Bool {
    prompts[id]?.task = task
    return prompts[id] != nil
  }

  /// Prevents other requests from joining a prompt, and returns the prompt; `nil` if the prompt no longer exists.
  mutating func close(_ id: PromptID) -> Prompt? {
    guard let prompt = prompts[id] else { return nil }
    let key = AlertKey(prompt.asking.request)
    if open[key] == id { open[key] = nil }
    return prompt
  }

  mutating func setShown(_ alert: Alert, asking open: Set<Atom>, of id: PromptID) {
    prompts[id]?.shown = (alert, open)
  }

  /// Allows other requests to join a prompt again, because it was set aside.
  mutating func reopen(_ id: PromptID) {
    guard let prompt = prompts[id], prompt.asking.lease == nil else { return }
    let key = AlertKey(prompt.asking.request)
    if open[key] == nil { open[key] = id }
  }

  /// Removes a prompt with all its waiters, and returns it. Returns `nil` if the prompt was already removed.
  mutating func take(_ id: PromptID) -> Prompt? {
    guard let prompt = close(id) else { return nil }
    prompts[id] = nil
    return prompt
  }

  mutating func take(_ waiter: RequestWaiter) -> Taken { take { $0 === waiter } }

  mutating func take(_ id: Request.ID) -> Taken { take { $0.asking.request.id == id } }

  private mutating func take(where isMeant: (RequestWaiter) -> Bool) -> Taken {
    var taken = Taken()
    guard let prompt = prompts.values.first(where: { $0.waiters.contains(where: isMeant) }) else {
      return taken
    }
    taken.waiters = prompt.waiters.filter(isMeant)
    if taken.waiters.count == prompt.waiters.count {
      taken.orphan = take(prompt.id)?.task
    } else {
      prompts[prompt.id]?.waiters.removeAll(where: isMeant)
    }
    return taken
  }
}
