import Machine
import PermModel

// The lookup of the values of a request in the process that makes the request.

extension OfflineStore {
  /// Returns a request as a broker would make it: with its paths resolved, with what is known about its lines, and for
  /// an agent's folder if the program has asked as an agent.
  func resolved(_ asking: Asking) async throws -> Asking {
    let request = try inAgentsFolder(complete(asking.request))
    let found = try await resolve(AskedValues(request), for: request, asking.capability.definition)
    var asking = asking
    asking.request = request.asking(found.atoms, found.facts)
    return asking
  }

  /// Finds out the meaning of the values that this process asks for.
  func resolve(
    _ asked: AskedValues, for request: Request, _ definition: CapabilityDefinition
  ) async throws -> ResolvedValues {
    let lookup = Lookup(in: isHere ? try open() : nil, home: probes.home)
    let process = AskingProcess(
      AskingProcess.own.identity, workingFolder: request.evidence?.workingDirectory
    ) {
      let program = request.evidence?.process.pid ?? ProcessHandle.own
      return Environment.variables(from: ProcessHandle.own, to: program)
    }
    let found = try await lookup.resolve(
      asked, by: process, for: Judge(of: request.subject, definition, under: policy()))
    try found.checkLength()
    return found
  }

  /// Returns the request of a program that has asked as an agent before for the folder in which it began, even if it does
  /// not name that now. Otherwise, it could evade denials there.
  private func inAgentsFolder(_ request: Request) throws -> Request {
    guard isHere, request.subject.folder == nil, try open().isAgent(request.subject) else { return request }
    let folder = request.evidence.flatMap { ProgramFolder(of: $0.process) }
    return request.inFolder(folder ?? .unknown)
  }
}
