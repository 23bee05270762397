import Operations

/// Which requests wait for which prompt. A value: everything that happens to it happens under one lock.
///
/// Whoever takes a waiter out of the book is the one who ends it, so each ends once.
struct RequestBook: Sendable {
  typealias PromptID = UInt64

  /// What joins: requests of one program for the same.
  struct Key: Hashable {
    var subject: Subject
    var capability: String
    var atoms: Set<Atom>

    init(_ request: Request) {
      subject = request.subject
      capability = request.capability
      atoms = request.atoms
    }
  }

  /// One prompt and those who wait for its answer, the first to ask first.
  struct Prompt {
    let id: PromptID
    let asking: Asking
    var waiters: [RequestWaiter]
    /// What the alert asks, as it was shown last.
    var open: Set<Atom> = []
    var task: Task<Void, Never>?

    var requestIDs: [Request.ID] { waiters.map(\.request.id) }
  }

  /// Waiters that were taken out, and the task of a prompt that nobody wants any more.
  struct Taken {
    var waiters: [RequestWaiter] = []
    var orphan: Task<Void, Never>?
  }

  private var prompts: [PromptID: Prompt] = [:]
  private var byKey: [Key: PromptID] = [:]
  private var next: PromptID = 0

  /// All prompts, the first to ask first.
  var all: [Prompt] { prompts.values.sorted { $0.id < $1.id } }

  subscript(id: PromptID) -> Prompt? { prompts[id] }

  /// Enters a waiter; gives the prompt's id if it is a new one, which must then be shown.
  mutating func join(_ waiter: RequestWaiter, _ asking: Asking) -> PromptID? {
    let key = Key(waiter.request)
    if let id = byKey[key] {
      prompts[id]?.waiters.append(waiter)
      return nil
    }
    next += 1
    byKey[key] = next
    prompts[next] = Prompt(id: next, asking: asking, waiters: [waiter])
    return next
  }

  /// Remembers the task that shows a prompt; `false` if the prompt is gone already.
  mutating func setTask(_ task: Task<Void, Never>, of id: PromptID) -> Bool {
    prompts[id]?.task = task
    return prompts[id] != nil
  }

  mutating func setOpen(_ atoms: Set<Atom>, of id: PromptID) { prompts[id]?.open = atoms }

  /// Takes out a prompt with all who wait for it; `nil` if somebody did before.
  mutating func take(_ id: PromptID) -> Prompt? {
    guard let prompt = prompts.removeValue(forKey: id) else { return nil }
    byKey[Key(prompt.asking.request)] = nil
    return prompt
  }

  /// Takes out one waiter.
  mutating func take(_ waiter: RequestWaiter) -> Taken { take { $0 === waiter } }

  /// Takes out those who wait under a request's id.
  mutating func take(_ id: Request.ID) -> Taken { take { $0.request.id == id } }

  /// The prompt that a request waits for.
  func prompt(of id: Request.ID) -> Prompt? {
    prompts.values.first { prompt in prompt.waiters.contains { $0.request.id == id } }
  }

  private mutating func take(where isMeant: (RequestWaiter) -> Bool) -> Taken {
    var taken = Taken()
    guard let prompt = prompts.values.first(where: { $0.waiters.contains(where: isMeant) }) else {
      return taken
    }
    taken.waiters = prompt.waiters.filter(isMeant)
    prompts[prompt.id]?.waiters.removeAll(where: isMeant)
    if prompts[prompt.id]?.waiters.isEmpty == true { taken.orphan = take(prompt.id)?.task }
    return taken
  }
}
