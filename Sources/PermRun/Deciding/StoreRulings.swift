import Dispatch
import Machine
import PermModel

/// Rulings by the decisions in a store and by the machine's policy.
final class StoreRulings: Rulings {
  private let store: any PermissionStore
  private let judge: Judge
  private let protected: ProtectedNames
  /// The folder in which the person has allowed this run to write, by an option.
  private let here: AbsolutePath?
  /// Allows that hold for a name alone are bound to the program here: writing to the store takes too long for the thread
  /// that serves files.
  private let binding = DispatchQueue(label: "permtui-run.binding")
  private let state: Lock<State>

  /// The decisions as they were read last. Rulings follow from them alone, so each is found only once.
  private struct State {
    /// `nil` while the decisions cannot be read.
    var basis: Basis?
    /// The number of times that the basis has changed.
    var generation = 0
    var known: [FileUse: Ruling] = [:]
    var bound: Set<Decision.Key> = []
    var watcher: (@Sendable () -> Void)?

    mutating func change(_ basis: Basis?) {
      self.basis = basis
      generation += 1
      known = [:]
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

  /// - Parameter here: A folder in which the program may write as if it had been allowed.
  init(
    _ store: any PermissionStore, _ subject: Subject, _ policy: MachinePolicy, here: AbsolutePath? = nil
  ) throws {
    guard let files = CapabilityCatalogue.builtIn["files"] else { preconditionFailure("files is built in") }
    self.store = store
    judge = Judge(of: subject, files.definition, under: policy)
    protected = store.environment.protected
    self.here = here
    state = Lock(State())
    try read()
  }

  /// Reads the decisions. If they cannot be read, nothing is allowed until they can.
  private func read() throws {
    let result = Result {
      var standing = try store.standing(of: judge.subject, capability: judge.definition.name)
      standing.protected = protected.behindWalls
      return standing
    }
    let basis = (try? result.get()).map(self.basis)
    state.withLock { $0.change(basis) }
    if let end = (try? result.get())?.nextEnd { readAgain(at: end) }
    _ = try result.get()
  }

  private func basis(_ standing: Standing) -> Basis {
    Basis(
      decided: decided(standing), isSuspended: standing.suspension != nil,
      hasUnbound: standing.decisions.values.contains(where: \.isUnboundAllow))
  }

  private func decided(_ standing: Standing) -> DecidedAtoms {
    let decided = judge.judgement(on: [], standing).decided
    guard let here else { return decided }
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
    state.withLock(\.watcher)?()
  }

  func onChange(_ changed: @escaping @Sendable () -> Void) {
    state.withLock { $0.watcher = changed }
    Task.quiet { [weak self] in
      guard let changes = try? self?.store.changes() else { return }
      // A change may have been made before the watch began.
      self?.changed()
      do { for try await _ in changes { self?.changed() } } catch { self?.lost() }
    }
  }

  /// The store cannot be watched any more, so no earlier permission can be relied on.
  private func lost() {
    state.withLock { $0.change(nil) }
    state.withLock(\.watcher)?()
  }

  func isProtected(_ path: AbsolutePath) -> Bool { protected.contain(path) || isInRepository(path) }

  func ruling(on use: FileUse) -> Ruling {
    if let known = state.withLock({ $0.known[use] }) { return known }
    let (found, generation) = state.withLock { ($0.basis, $0.generation) }
    guard let basis = found else { return .open }
    let ruling = basis.isSuspended ? .suspended : rule(use, basis.decided)
    if ruling == .allowed, basis.hasUnbound { bind(basis.decided.decisions(behind: [use.atom]), to: use) }
    state.withLock { state in if state.generation == generation { state.known[use] = ruling } }
    return ruling
  }
}

// MARK: - Binding

extension StoreRulings {
  /// Binds an allow that was given to a name, before any program was seen under it, to the program that uses it first.
  private func bind(_ decisions: [Decision], to use: FileUse) {
    let unbound = decisions.filter(\.isUnboundAllow)
    let isNew = state.withLock { state in unbound.contains { state.bound.insert($0.key).inserted } }
    guard isNew else { return }
    let (store, judge) = (store, judge)
    binding.async {
      guard let standing = try? store.standing(of: judge.subject, capability: judge.definition.name) else {
        return
      }
      try? store.record(judge.judgement(on: [use.atom], standing).use)
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

  private func isInRepository(_ path: AbsolutePath) -> Bool { RepositoryName(path) != .outside }

  private func isOnlyAllowedByItself(_ use: FileUse) -> Bool {
    switch use.repository {
    case .setting, .head: true
    case .data: false
    case .outside: use.isWhole && holdsProtectedNames(use.path)
    }
  }

  /// Whether protected names lie below a folder. A folder that is put in its place would bring its own.
  private func holdsProtectedNames(_ folder: AbsolutePath) -> Bool {
    protected.isTooWide(folder)
      || [".config", ".local", ".local/share"].contains { name in
        Users.homeFolder.flatMap { try? AbsolutePath("\($0)/\(name)") } == folder
      }
  }
}

extension Decision {
  fileprivate var isUnboundAllow: Bool { verdict == .allow && subject.isUnbound }
}

extension Standing {
  /// The next moment at which a decision ends; `nil` if none ends by the clock.
  var nextEnd: Timestamp? {
    let ends = (Array(decisions.values) + everyone).compactMap { decision -> Timestamp? in
      if case .until(let deadline) = decision.lifetime { deadline.wall } else { nil }
    }
    return ends.min()
  }
}
