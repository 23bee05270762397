import Machine
import PermModel

// The lookup of the values of a request: when the request arrives, and again when it is answered.

extension Broker {
  func finder(for subject: Subject) -> ValueFinder {
    let (store, policy, catalogue) = (store, settings.policy, settings.catalogue)
    return ValueFinder(
      resolver: configuration.resolver, home: settings.probes.home, protected: store.environment.protected
    ) { capability in
      guard let definition = catalogue[capability]?.definition else { return [] }
      return try store.deniedEntries(for: subject, definition, policy)
    }
  }

  /// Finds out the meaning of the values that a program asks for.
  ///
  /// The process that calls spelled the values, so they are looked up in its view, from its working folder, and with its
  /// environment.
  ///
  /// - Parameter forAlert: Whether to look for what only an alert shows: the project's folder and protected names.
  func find(
    _ asked: AskedValues, for seen: SeenProgram, _ subject: Subject, forAlert: Bool = true
  ) async throws -> FoundValues {
    let finder = finder(for: subject)
    var found = try await finder.find(
      asked, by: seen.peer, in: seen.evidence.workingDirectory, forAlert: forAlert)
    found.facts.dialect = asked.dialect
    found.facts.onceReason = asked.onceReason
    guard !asked.lines.isEmpty else { return found }
    found.facts.isElsewhere = await isElsewhere(subject, seen.peer)
    // A command form is about arguments, which other protocols do not tell.
    guard asked.dialect == nil, asked.onceReason == nil, !found.facts.isElsewhere,
      let variables = Environment.variables(of: seen.peer.pid)
    else {
      return found
    }
    let conditions = FormConditions(
      finder: finder, asker: seen.peer, environment: FormVariables(variables: variables)
    ) { [store, settings] in
      store.allows($0, to: subject, settings.catalogue, settings.policy)
    }
    found.facts.forms = await conditions.forms(of: asked.lines, for: subject)
    return found
  }

  /// Whether a process works in another folder than the one to which the decisions about its program apply.
  private func isElsewhere(_ subject: Subject, _ process: ProcessIdentity) async -> Bool {
    guard let folder = subject.folder else { return false }
    let now = try? await configuration.resolver.look { FileStatus("/proc/\(process.pid)/cwd") }
    return now.map { $0.device != folder.device || $0.inode != folder.inode } ?? true
  }

  /// Ends the wait for an answer if the values of a request mean something else by now, and returns whether they do.
  ///
  /// A request never changes, and an answer carries the digest of what was shown. Therefore, the answer is refused, and the
  /// same program is asked about again, under the same id, in a new alert that shows what its values mean now.
  func askAgainIfChanged(_ id: PermModel.Request.ID, _ asked: AskedValues) async -> Bool {
    guard await hasChanged(id, asked) else { return false }
    leaveTerminal(id)
    desk.askAgain(id)
    return true
  }

  /// Whether the values of a request mean something else by now, or can no longer be looked up. Returns `false` if the
  /// process is gone, because the end of its connection withdraws the request.
  func hasChanged(_ id: PermModel.Request.ID, _ asked: AskedValues) async -> Bool {
    guard !asked.isFixed, let entry = ledger[id] else { return false }
    do {
      let found = try await find(asked, for: entry.seen, entry.request.subject)
      return !found.isMeant(by: entry.request) && !Task.isCancelled
    } catch BrokerError.disconnected {
      return false
    } catch {
      // A path that can no longer be expressed, for example, is not the one that the person saw.
      return !Task.isCancelled
    }
  }

  /// Returns the same request with what its values mean now, so that it can be asked again. It replaces the earlier one
  /// in the ledger and in the store, unless that one has ended there.
  func current(_ request: PermModel.Request, _ asked: AskedValues) async throws -> PermModel.Request {
    guard let entry = ledger[request.id] else { throw CancellationError() }
    var seen = entry.seen
    if let now = configuration.witness.program(behind: entry.peer, withChain: false), now.isSame(as: seen) {
      seen.evidence.workingDirectory = now.evidence.workingDirectory
    }
    let found = try await find(asked, for: seen, request.subject)
    let current = request.asking(found.atoms, found.facts).with(seen.evidence)
    guard try store.replace(current) else { return request }
    ledger.replace(current, of: seen)
    return current
  }
}

extension FoundValues {
  /// Whether a request asks for exactly these values. Protected names that were made or removed meanwhile change nothing
  /// about what the answer covers.
  func isMeant(by request: PermModel.Request) -> Bool {
    var facts = facts
    facts.protected = request.facts.protected
    return atoms == request.atoms && facts == request.facts
  }
}
