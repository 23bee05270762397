import Operations

/// A record of which requests wait for which prompt. It is a value, and is used only under one lock.
///
/// The caller that takes a waiter out of the book is the one that ends it, so each ends once.
struct RequestBook: Sendable {
  typealias PromptID = UInt64

  /// One prompt and the requests that wait for its answer, the first to ask first.
  struct Prompt {
    let id: PromptID
    /// The alert's id as long as the prompt lives: the id of the request that began it.
    let alert: Alert.ID
    /// The request that the alert shows: the one that has waited longest of those still waiting.
    var asking: Asking { waiters[0].asking }
    var waiters: [RequestWaiter]
    /// The alert on the screen and the atoms that it asks about; later arrivals are not part of it.
    var shown: (alert: Alert, open: Set<Atom>)?
    var task: Task<Void, Never>?
    /// Kept until the last waiter has left.
    var place: AlertPlace?

    var requestIDs: [Request.ID] { waiters.map(\.asking.request.id) }
  }

  /// Waiters that were taken out, and the task of a prompt that is no longer wanted.
  struct Taken {
    var waiters: [RequestWaiter] = []
    var orphan: Task<Void, Never>?

    func finish(_ end: RequestWaiter.End) {
      waiters.forEach { $0.finish(end) }
      orphan?.cancel()
    }
  }

  private var prompts: [PromptID: Prompt] = [:]
  /// The prompts that another request may still join.
  private var open: [AlertKey: PromptID] = [:]
  private var next: PromptID = 0

  /// All prompts, the first to ask first.
  var all: [Prompt] { prompts.values.sorted { $0.id < $1.id } }

  subscript(id: PromptID) -> Prompt? { prompts[id] }

  /// Enters a waiter; returns the prompt's id if it is new, and must then be shown.
  ///
  /// A request with a lease gets a prompt of its own: the prompt would end with the operation that holds the lease, or
  /// wait for it.
  mutating func join(_ waiter: RequestWaiter) throws -> PromptID? {
    let asking = waiter.asking
    let key = AlertKey(asking.request)
    if asking.lease == nil, let id = open[key] {
      prompts[id]?.waiters.append(waiter)
      return nil
    }
    let place = try asking.takePlace?()
    next += 1
    if asking.lease == nil { open[key] = next }
    prompts[next] = Prompt(id: next, alert: Alert.ID(asking.request.id.text), waiters: [waiter], place: place)
    return next
  }

  /// Remembers the task that shows a prompt; returns `false` if the prompt is already gone.
  mutating func setTask(_ task: Task<Void, Never>, of id: PromptID) -> Bool {
    prompts[id]?.task = task
    return prompts[id] != nil
  }

  /// Closes a prompt to other requests, because it is about to be on the screen, and returns it.
  mutating func close(_ id: PromptID) -> Prompt? {
    guard let prompt = prompts[id] else { return nil }
    let key = AlertKey(prompt.asking.request)
    if open[key] == id { open[key] = nil }
    return prompt
  }

  mutating func setShown(_ alert: Alert, asking open: Set<Atom>, of id: PromptID) {
    prompts[id]?.shown = (alert, open)
  }

  /// Lets other requests again join a prompt that was set aside.
  mutating func reopen(_ id: PromptID) {
    guard let prompt = prompts[id], prompt.asking.lease == nil else { return }
    let key = AlertKey(prompt.asking.request)
    if open[key] == nil { open[key] = id }
  }

  /// Takes out a prompt with all its waiters; returns `nil` if that was done before.
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
