import Machine
import PermModel

// The lookup of the values of a request in the process that makes the request.

extension StoreWithoutBroker {
  /// Returns a request as a broker would make it: with its paths resolved, with what is known about its lines, and for
  /// an agent's folder if the program has asked as an agent.
  func found(_ asking: Asking) async throws -> Asking {
    let request = try inAgentsFolder(complete(asking.request))
    var asking = asking
    asking.request = request
    let asked = AskedValues(CapabilityReference(capability: request.capability, atoms: request.atoms))
    guard !asked.isFixed else { return asking }
    var found = try await find(asked, for: request, asking.capability.definition)
    if !asked.lines.isEmpty {
      let folder = request.subject.folder
      found.facts.isElsewhere = folder != nil && folder != ProgramFolder(of: here)
      if !found.facts.isElsewhere { found.facts.forms = try await forms(of: asked.lines, for: request) }
    }
    asking.request = request.asking(found.atoms, found.facts)
    asking.capability = FoundCapability(
      base: asking.capability, requirement: AtomRequirement(atoms: found.atoms))
    return asking
  }

  /// Whether the paths of a request lead elsewhere than when they were found.
  func hasChanged(_ request: Request, _ definition: CapabilityDefinition) async throws -> Bool {
    let spelled = CapabilityReference(capability: request.capability, atoms: request.atomsAsSpelled)
    let asked = AskedValues(spelled)
    guard !asked.paths.isEmpty else { return false }
    let found = try await find(asked, for: request, definition)
    return found.atoms != request.atoms || found.facts.paths != request.facts.paths
  }

  private var here: ProcessIdentity {
    ProcessIdentity(pid: ProcessHandle.own, startTime: ProcessStat(of: ProcessHandle.own)?.startTime ?? 0)
  }

  /// Returns the request of a program that has asked as an agent before for the folder in which it began, even if it does
  /// not name that now. Otherwise, it could evade denials there.
  private func inAgentsFolder(_ request: Request) throws -> Request {
    guard isHere, request.subject.folder == nil, try open().isAgent(request.subject) else { return request }
    let folder = request.evidence.flatMap { ProgramFolder(of: $0.process) }
    return request.inFolder(folder ?? .unknown)
  }

  private func forms(of lines: [String], for request: Request) async throws -> Set<String> {
    guard isHere else { return [] }
    let control = try valueControl()
    let finder = ValueFinder(resolver: PathResolver(), home: home) { _ in [] }
    return await control.forms(of: lines, for: request.subject, finder, here)
  }

  private func find(
    _ asked: AskedValues, for request: Request, _ definition: CapabilityDefinition
  ) async throws -> FoundValues {
    let finder = ValueFinder(resolver: PathResolver(), home: home, protected: .current) { [self] _ in
      try deniedEntries(for: request.subject, definition)
    }
    return try await finder.find(asked, by: here, in: request.evidence?.workingDirectory)
  }
}

/// A capability that is asked for with resolved values instead of those that were spelled.
private struct FoundCapability: CapabilityType {
  let base: any CapabilityType
  let requirement: AtomRequirement

  var definition: CapabilityDefinition { base.definition }

  func availability(in environment: ProbeEnvironment) async -> Availability {
    await base.availability(in: environment)
  }

  func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
    await base.explanation(for: atoms, in: environment)
  }
}
