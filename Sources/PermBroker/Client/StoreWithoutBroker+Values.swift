import Machine
import PermModel

// The lookup of the values of a request in the process that makes the request.

extension StoreWithoutBroker {
  /// Returns a request with its paths resolved, as a broker would ask for them.
  func found(_ asking: Asking) async throws -> Asking {
    let request = asking.request
    let asked = AskedValues(CapabilityReference(capability: request.capability, atoms: request.atoms))
    guard !asked.paths.isEmpty else { return asking }
    let found = try await find(asked, for: request, asking.capability.definition)
    var asking = asking
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

  private func find(
    _ asked: AskedValues, for request: Request, _ definition: CapabilityDefinition
  ) async throws -> FoundValues {
    let start = ProcessStat(of: ProcessHandle.own)?.startTime ?? 0
    let finder = ValueFinder(resolver: PathResolver(), home: home) { [self] _ in
      try deniedEntries(for: request.subject, definition)
    }
    return try await finder.find(
      asked, by: ProcessIdentity(pid: ProcessHandle.own, startTime: start),
      in: request.evidence?.workingDirectory)
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
