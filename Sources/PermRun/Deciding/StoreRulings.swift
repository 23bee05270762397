import Dispatch
import Machine
import PermModel

/// Rulings by the decisions in a store and by the machine's policy.
final class StoreRulings: Rulings {
  private let store: any PermissionStore
  private let judge: Judge
  private let protected: ProtectedNames
  private let state: Lock<State>

  /// The decisions as they were read last. Rulings follow from them alone, so each is found only once.
  private struct State {
    var decided: DecidedAtoms?
    var known: [FileUse: Ruling] = [:]
    var watcher: (@Sendable () -> Void)?
  }

  init(_ store: any PermissionStore, _ subject: Subject, _ policy: MachinePolicy) throws {
    guard let files = CapabilityCatalogue.builtIn["files"] else { preconditionFailure("files is built in") }
    self.store = store
    judge = Judge(of: subject, files.definition, under: policy)
    protected = store.environment.protected
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
    let decided = try? result.map { judge.judgement(on: [], $0).decided }.get()
    state.withLock { state in
      state.decided = decided
      state.known = [:]
    }
    if let end = (try? result.get())?.nextEnd { readAgain(at: end) }
    _ = try result.get()
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
    state.withLock { state in
      state.decided = nil
      state.known = [:]
    }
    state.withLock(\.watcher)?()
  }

  func ruling(on use: FileUse) -> Ruling {
    if let known = state.withLock({ $0.known[use] }) { return known }
    guard let decided = state.withLock(\.decided) else { return .open }
    let ruling = rule(use, decided)
    state.withLock { state in if state.decided == decided { state.known[use] = ruling } }
    return ruling
  }
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
    return decided.decisions(behind: [use.atom]).allSatisfy { decision in
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

extension Standing {
  /// The next moment at which a decision ends; `nil` if none ends by the clock.
  var nextEnd: Timestamp? {
    let ends = (Array(decisions.values) + everyone).compactMap { decision -> Timestamp? in
      if case .until(let deadline) = decision.lifetime { deadline.wall } else { nil }
    }
    return ends.min()
  }
}
