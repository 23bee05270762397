import Machine
import PermModel

// The lookup of the values of a request: when the request arrives, and again when it is answered.

extension Broker {
  var lookup: Lookup {
    Lookup(in: store, resolver: configuration.resolver, home: settings.probes.home)
  }

  /// Finds out the meaning of the values that a program asks for.
  ///
  /// The process that calls spelled the values, so they are looked up in its view, from its working folder, and with its
  /// environment.
  ///
  /// - Parameter forAlert: Whether to look for what only an alert shows: the project's folder and protected names.
  func resolve(
    _ asked: AskedValues, for seen: IdentifiedProgram, _ subject: Subject, forAlert: Bool = true
  ) async throws -> ResolvedValues {
    let judge = try judge(of: subject, asked.capability)
    let found = try await lookup.resolve(asked, by: seen.asking, for: judge, forAlert: forAlert)
    try found.checkLength()
    return found
  }

  /// Ends the wait for an answer if the values of a request mean something else by now, and returns whether they do.
  ///
  /// A request never changes, and an answer carries the digest of what was shown. Therefore, the answer is refused, and the
  /// same program is asked about again, under the same id, in a new alert that shows what its values mean now.
  func askAgainIfChanged(_ id: PermModel.Request.ID, _ asked: AskedValues) async -> Bool {
    guard await hasChanged(id, asked) else { return false }
    leaveTerminal(id)
    answerer.askAgain(id)
    return true
  }

  /// Whether the values of a request mean something else by now, or can no longer be looked up. Returns `false` if the
  /// process is gone, because the end of its connection withdraws the request.
  func hasChanged(_ id: PermModel.Request.ID, _ asked: AskedValues) async -> Bool {
    guard !asked.isFixed, let entry = ledger[id] else { return false }
    do {
      let found = try await resolve(asked, for: entry.seen, entry.request.subject)
      return !found.isMeant(by: entry.request) && !Task.isCancelled
    } catch LookupRefused.processEnded {
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
    if let now = witness.program(behind: entry.peer, withChain: false), now.isSame(as: seen) {
      seen.evidence.workingDirectory = now.evidence.workingDirectory
    }
    let found = try await resolve(asked, for: seen, request.subject)
    let current = request.asking(found.atoms, found.facts).with(seen.evidence)
    guard try store.replace(current) else { return request }
    ledger.replace(current, of: seen)
    return current
  }
}

extension IdentifiedProgram {
  /// The process that spelled the values.
  fileprivate var asking: AskingProcess {
    let (caller, program, folder) = (peer, evidence.process, evidence.workingDirectory)
    guard evidence.walled == nil else { return .behindWalls(workingIn: folder) }
    return AskingProcess(caller, workingFolder: folder) {
      Environment.variables(from: caller.pid, to: program.pid)
    }
  }
}
