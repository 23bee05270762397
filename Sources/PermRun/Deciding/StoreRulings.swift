import Dispatch
import Machine
import PermModel

/// Rulings by the decisions in a store and by the machine's policy.
final class StoreRulings: Rulings {
  private let store: any PermissionStore
  /// The judges of the program's use of files, and of the network.
  private let judges: [Judge]
  private let protected: ProtectedNames
  /// The folder in which the person has allowed this run to write, by an option.
  private let here: AbsolutePath?
  /// Allows that hold for a name alone are bound to the program here: writing to the store takes too long for the thread
  /// that serves files.
  private let binding = DispatchQueue(label: "permtui-run.binding")
  private let state: Lock<State>

  /// The decisions as they were read last. Rulings follow from them alone, so each is found only once.
  private struct State {
    /// The decisions about each capability; empty while they cannot be read.
    var bases: [String: Basis] = [:]
    /// The decisions at the start about each capability, if nothing else can be allowed later; otherwise `nil`.
    var first: [String: DecidedAtoms]?
    /// The number of times that the decisions have changed.
    var generation = 0
    var files: [FileUse: Ruling] = [:]
    var hosts: [HostUse: Ruling] = [:]
    var bound: Set<Decision.Key> = []
    var watchers: [@Sendable () -> Void] = []

    mutating func change(_ bases: [String: Basis]) {
      self.bases = bases
      generation += 1
      files = [:]
      hosts = [:]
    }
  }

  /// The decisions from which rulings follow.
  private struct Basis {
    var decided: DecidedAtoms
    /// Whether a panic is on.
    var isSuspended: Bool
    /// Whether something is allowed to a name to which no program belongs yet.
    var hasUnbound: Bool
  }

  /// - Parameters:
  ///   - here: A folder in which the program may write as if it had been allowed.
  ///   - isFixed: Whether nothing is allowed that is not allowed at the start.
  init(
    _ store: any PermissionStore, _ subject: Subject, _ policy: MachinePolicy, here: AbsolutePath? = nil,
    isFixed: Bool = false
  ) throws {
    self.store = store
    judges = ["files", "network"].map { name in
      guard let capability = CapabilityCatalogue.builtIn[name] else {
        preconditionFailure("\(name) is built in")
      }
      return Judge(of: subject, capability.definition, under: policy)
    }
    protected = store.environment.protected
    self.here = here
    state = Lock(State())
    try read()
    if isFixed { state.withLock { $0.first = $0.bases.mapValues(\.decided) } }
  }

  /// Reads the decisions. If they cannot be read, nothing is allowed until they can.
  private func read() throws {
    let result = Result { try judges.map { ($0, try standing(for: $0)) } }
    let found = (try? result.get()) ?? []
    let bases = found.map { ($0.definition.name, basis($0, $1)) }
    state.withLock { $0.change(Dictionary(uniqueKeysWithValues: bases)) }
    if let end = found.compactMap(\.1.nextEnd).min() { readAgain(at: end) }
    _ = try result.get()
  }

  private func standing(for judge: Judge) throws -> DecisionsInForce {
    var standing = try store.standing(of: judge.subject, capability: judge.definition.name)
    standing.protected = protected.behindWalls
    return standing
  }

  private func basis(_ judge: Judge, _ standing: DecisionsInForce) -> Basis {
    Basis(
      decided: decided(judge, standing), isSuspended: standing.suspension != nil,
      hasUnbound: standing.decisions.values.contains(where: \.isUnboundAllow))
  }

  private func decided(_ judge: Judge, _ standing: DecisionsInForce) -> DecidedAtoms {
    let decided = judge.judgement(on: [], standing).decided
    guard let here, judge.definition.name == "files" else { return decided }
    // It is the oldest of all, so whatever was decided outweighs it.
    let start = Timestamp(microseconds: .min)
    return decided.answering(.allow, [FileUse.write(here, isWhole: true).atom], at: start, isKept: true)
  }

  private func readAgain(at end: Timestamp) {
    let wait = max(0, end.microseconds - store.environment.now().wall.microseconds) + 1_000
    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(min(wait, 3_600_000_000)))) {
      [weak self] in
      self?.changed()
    }
  }

  private func changed() {
    try? read()
    tellWatchers()
  }

  private func tellWatchers() { state.withLock(\.watchers).forEach { $0() } }

  func onChange(_ changed: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.watchers.append(changed)
      return state.watchers.count == 1
    }
    if isFirst { follow() }
  }

  private func follow() {
    Task.quiet { [weak self] in
      guard let changes = try? self?.store.changes() else { return }
      // A change may have been made before the watch began.
      self?.changed()
      do { for try await _ in changes { self?.changed() } } catch { self?.lost() }
    }
  }

  /// The store cannot be watched any more, so no earlier permission can be relied on.
  private func lost() {
    state.withLock { $0.change([:]) }
    tellWatchers()
  }

  func isProtected(_ path: AbsolutePath) -> Bool { protected.contain(path) || isInRepository(path) }

  func ruling(on use: FileUse) -> Ruling {
    if let known = state.withLock({ $0.files[use] }) { return known }
    return find(use, rule) { $0.files[use] = $1 }
  }

  func ruling(on use: HostUse) -> Ruling {
    if let known = state.withLock({ $0.hosts[use] }) { return known }
    return find(use, rule) { $0.hosts[use] = $1 }
  }

  private func find<Use: AskedUse>(
    _ use: Use, _ rule: (Use, DecidedAtoms) -> Ruling, _ remember: (inout State, Ruling) -> Void
  ) -> Ruling {
    let (found, generation) = state.withLock { ($0.bases[use.atom.capability], $0.generation) }
    guard let basis = found else { return .open }
    var ruling = basis.isSuspended ? .suspended : rule(use, basis.decided)
    if ruling == .allowed, !wasAllowed(use, rule) { ruling = .open }
    if ruling == .allowed, basis.hasUnbound {
      bind(basis.decided.decisions(behind: [use.atom]), to: use.atom)
    }
    state.withLock { state in if state.generation == generation { remember(&state, ruling) } }
    return ruling
  }
}

// MARK: - What cannot grow

extension StoreRulings {
  /// Whether a use was allowed at the start, if it had to be.
  private func wasAllowed<Use: AskedUse>(_ use: Use, _ rule: (Use, DecidedAtoms) -> Ruling) -> Bool {
    guard let first = state.withLock(\.first) else { return true }
    return first[use.atom.capability].map { rule(use, $0) } == .allowed
  }
}

// MARK: - Binding

extension StoreRulings {
  /// Binds an allow that was given to a name, before any program was seen under it, to the program that uses it first.
  private func bind(_ decisions: [Decision], to atom: Atom) {
    let unbound = decisions.filter(\.isUnboundAllow)
    let isNew = state.withLock { state in unbound.contains { state.bound.insert($0.key).inserted } }
    guard isNew, let judge = judges.first(where: { $0.definition.name == atom.capability }) else { return }
    binding.async { [store] in
      guard let standing = try? store.standing(of: judge.subject, capability: judge.definition.name) else {
        return
      }
      try? store.record(judge.judgement(on: [atom], standing).use)
    }
  }
}

extension StoreRulings {
  func finish() { binding.sync {} }
}

// MARK: - Judging

extension StoreRulings {
  /// Returns the ruling that follows from the decisions.
  private func rule(_ use: FileUse, _ decided: DecidedAtoms) -> Ruling {
    switch decided.state(of: use.atom) {
    case .allowed: allows(use, decided) ? .allowed : .open
    case .denied, .restricted: .denied
    default: .open
    }
  }

  /// Whether an allow decision is narrow enough. Git's settings, and folders that take the place of the person's own
  /// settings, are allowed only by themselves.
  private func allows(_ use: FileUse, _ decided: DecidedAtoms) -> Bool {
    if use.isSocket { return isDecidedItself(use.atom, decided) }
    guard use.part == .write, isOnlyAllowedByItself(use) else { return true }
    let decisions = decided.decisions(behind: [use.atom])
    return !decisions.isEmpty
      && decisions.allSatisfy { decision in
        switch decision.atom.scope {
        case .path(let path), .folder(let path): path == use.path || isInRepository(path)
        default: false
        }
      }
  }

  /// Returns the ruling that follows from the decisions. If the program has named another host, a decision about all hosts
  /// was not about this one.
  private func rule(_ use: HostUse, _ decided: DecidedAtoms) -> Ruling {
    let isDecided = !use.isBehindName || isDecidedItself(use.atom, decided)
    switch decided.state(of: use.atom) {
    case .allowed: return isDecided ? .allowed : .open
    case .denied: return isDecided ? .denied : .open
    case .restricted: return .denied
    default: return .open
    }
  }

  /// Whether the decisions that count are about this very value, or about every port of a host.
  private func isDecidedItself(_ atom: Atom, _ decided: DecidedAtoms) -> Bool {
    let decisions = decided.decisions(behind: [atom])
    return !decisions.isEmpty
      && decisions.allSatisfy { decision in
        switch decision.atom.scope {
        case .host, .path: true
        default: decision.subject.isEveryone
        }
      }
  }

  private func isInRepository(_ path: AbsolutePath) -> Bool { RepositoryName(path) != .outside }

  private func isOnlyAllowedByItself(_ use: FileUse) -> Bool {
    switch use.repository {
    case .setting, .head: true
    case .data: false
    // A folder that is put in the place of one with protected names would bring its own.
    case .outside: use.isWhole && protected.areBelow(use.path)
    }
  }
}

extension Decision {
  fileprivate var isUnboundAllow: Bool { verdict == .allow && subject.isUnbound }
}

extension DecisionsInForce {
  /// The next moment at which a decision ends; `nil` if none ends by the clock.
  var nextEnd: Timestamp? {
    let ends = (Array(decisions.values) + everyone).compactMap { decision -> Timestamp? in
      if case .until(let deadline) = decision.lifetime { deadline.wall } else { nil }
    }
    return ends.min()
  }
}
