import Machine

/// Keeps one instance of each service per program, as long as the program is allowed to use the service's capability.
///
/// An instance is handed out only while the very decisions that allowed it stand. If the permission is taken back and given
/// again, the next instance is a new one, even if nobody asked in between.
public final class AuthorizedInstances: Sendable {
  private struct Key: Hashable {
    var service: ObjectIdentifier
    var subject: Subject
  }

  private struct Waiter {
    var id: UInt64
    var callback: @Sendable ((any AuthorizedService)?) -> Void
  }

  private struct Entry {
    var instance: (any AuthorizedService)?
    /// The newest entry of the journal before the look that allowed the instance; `nil` if the answerer does not see the
    /// journal.
    var position: JournalEntry.ID?
    /// The task that drops the instance when its permission is revoked.
    var watch: Task<Void, Never>?
    var waiters: [Waiter] = []
    var asking: Task<Void, Never>?
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var next: UInt64 = 0
  }

  private let authorizer: Authorizer
  private let state = Lock(State())

  public init(_ authorizer: Authorizer) { self.authorizer = authorizer }

  deinit {
    for entry in state.withLock({ Array($0.entries.values) }) {
      entry.watch?.cancel()
      entry.asking?.cancel()
    }
  }

  /// Returns the instance or a denial. If a person must be asked, returns a wait instead.
  ///
  /// - Parameters:
  ///   - type: The type of the service.
  ///   - subject: The program that asks; if `nil`, the authorizer's own subject.
  ///   - whenAnswered: Called once if this method returns ``InstanceAnswer/waiting(_:)``. Receives the outcome: the
  ///     instance, or `nil` if the capability is not allowed. The callbacks of several waiting callers are called one
  ///     after another, in the order in which the callers asked.
  /// - Throws: Any error of the answerer.
  public func instance<Service: AuthorizedService>(
    of type: Service.Type, for subject: Subject? = nil,
    whenAnswered: @escaping @Sendable (Service?) -> Void = { _ in }
  ) async throws -> InstanceAnswer<Service> {
    let asker = subject.map { authorizer.acting(for: $0) } ?? authorizer
    let key = Key(service: ObjectIdentifier(type), subject: asker.subject)
    let position = try await asker.answerer.journalPosition()
    let found = try await asker.authorization(of: Service.capability)
    if found.isAllowed {
      try await dropIfTakenBack(key, Service.capability.name, asker)
      return .granted(instance(of: type, key, asker, since: position))
    }
    // The watch also drops an instance that is no longer allowed, but might not have noticed the change yet.
    drop(key)
    guard found.refusal == nil else { return .denied }
    let id = wait(key) { whenAnswered($0 as? Service) }
    startAsking(type, key, asker)
    return .waiting(InstanceWait { [weak self] in self?.leave(key, id) })
  }

  /// Drops an instance whose permission was taken back, even if it was given again since. The watch sees only the latest
  /// status.
  private func dropIfTakenBack(_ key: Key, _ capability: String, _ asker: Authorizer) async throws {
    guard let entry = state.withLock({ $0.entries[key] }), let instance = entry.instance,
      let position = entry.position,
      try await asker.answerer.hasTakenBack(from: asker.subject, capability, since: position)
    else { return }
    drop(key, instance)
  }

  private func instance<Service: AuthorizedService>(
    of type: Service.Type, _ key: Key, _ asker: Authorizer, since position: JournalEntry.ID?
  ) -> Service {
    if let known = state.withLock({ $0.entries[key]?.instance }) as? Service { return known }
    // The instance is built outside the lock, because building runs the service's code. If two callers race, the second
    // caller discards its own instance and uses the instance of the first caller.
    let built = Service(AuthorizationToken(asker))
    let kept: any AuthorizedService = state.withLock { state in
      if let other = state.entries[key]?.instance { return other }
      state.entries[key, default: Entry()].instance = built
      state.entries[key]?.position = position
      state.entries[key]?.watch = Task.quiet { [weak self] in
        for await now in asker.statusUpdates(of: Service.capability) where !now.isAllowed { break }
        if !Task.isCancelled { self?.drop(key, built) }
      }
      return built
    }
    return kept as? Service ?? built
  }

  /// Drops the existing instance. If `instance` is given, does nothing unless the existing instance is that object.
  private func drop(_ key: Key, _ instance: (any AuthorizedService)? = nil) {
    let watch: Task<Void, Never>? = state.withLock { state in
      guard let entry = state.entries[key], instance == nil || entry.instance === instance else { return nil }
      state.entries[key]?.instance = nil
      state.entries[key]?.watch = nil
      return entry.watch
    }
    watch?.cancel()
  }
}

// MARK: Waiting

extension AuthorizedInstances {
  private func wait(_ key: Key, _ callback: @escaping @Sendable ((any AuthorizedService)?) -> Void) -> UInt64
  {
    state.withLock { state in
      state.next += 1
      state.entries[key, default: Entry()].waiters.append(Waiter(id: state.next, callback: callback))
      return state.next
    }
  }

  private func leave(_ key: Key, _ id: UInt64) {
    let orphan: Task<Void, Never>? = state.withLock { state in
      state.entries[key]?.waiters.removeAll { $0.id == id }
      guard state.entries[key]?.waiters.isEmpty == true else { return nil }
      defer { state.entries[key]?.asking = nil }
      return state.entries[key]?.asking
    }
    orphan?.cancel()
  }

  /// Starts asking a person, unless a person is already being asked.
  private func startAsking<Service: AuthorizedService>(
    _ type: Service.Type, _ key: Key, _ asker: Authorizer
  ) {
    state.withLock { state in
      guard let entry = state.entries[key], entry.asking == nil, !entry.waiters.isEmpty else { return }
      state.entries[key]?.asking = Task.quiet { [weak self] in
        let position = try? await asker.answerer.journalPosition()
        let found = try? await asker.authorize(Service.capability)
        guard !Task.isCancelled, let self else { return }
        let isAllowed = found?.isAllowed ?? false
        if !isAllowed { drop(key) }
        answerAll(key, isAllowed ? instance(of: type, key, asker, since: position) : nil)
      }
    }
  }

  private func answerAll(_ key: Key, _ instance: (any AuthorizedService)?) {
    let waiters = state.withLock { state in
      defer {
        state.entries[key]?.waiters = []
        state.entries[key]?.asking = nil
      }
      return state.entries[key]?.waiters ?? []
    }
    for waiter in waiters { waiter.callback(instance) }
  }
}
