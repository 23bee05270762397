import Machine
package import PermModel

extension StoreControl {
  /// Returns a requirement as a program would ask for it from this process, and the known facts about its values.
  ///
  /// - Parameter home: The home folder.
  /// - Returns: `nil` if it is not certain what the values mean, for example because a folder does not exist yet.
  package func found(
    _ reference: CapabilityReference, for subject: Subject, home: String
  ) async throws -> (reference: CapabilityReference, facts: ValueFacts)? {
    let start = ProcessStat(of: ProcessHandle.own)?.startTime ?? 0
    let here = ProcessIdentity(pid: ProcessHandle.own, startTime: start)
    let finder = ValueFinder(resolver: PathResolver(), home: home) { capability in
      guard let definition = catalogue[capability]?.definition else { return [] }
      return try store.deniedEntries(for: subject, definition, policy)
    }
    let asked = AskedValues(reference)
    var found = try await finder.find(asked, by: here, in: nil)
    found.facts.forms = await forms(of: asked.lines, for: subject, finder, here)
    guard found.facts.doubts.isEmpty else { return nil }
    return (CapabilityReference(capability: reference.capability, atoms: found.atoms), found.facts)
  }

  /// Returns the command forms whose conditions hold in this process. They cannot be examined for an agent in another
  /// folder.
  func forms(
    of lines: [String], for subject: Subject, _ finder: ValueFinder, _ here: ProcessIdentity
  ) async -> Set<String> {
    guard !lines.isEmpty, subject.folder == nil || subject.folder == ProgramFolder(of: here) else {
      return []
    }
    let environment = FormVariables(variables: Environment.variables)
    let conditions = FormConditions(finder: finder, asker: here, environment: environment) { found in
      store.allows(found, to: subject, catalogue, policy)
    }
    return await conditions.forms(of: lines, for: subject)
  }
}

extension PermissionStore {
  /// Whether decisions allow a program to use these values of Files.
  func allows(
    _ found: FoundValues, to subject: Subject, _ catalogue: CapabilityCatalogue, _ policy: MachinePolicy
  ) -> Bool {
    guard let definition = catalogue["files"]?.definition else { return false }
    let judge = Judge(of: subject, definition, under: policy)
    return (try? judgement(on: found.atoms, found.facts, by: judge).isAllowed) ?? false
  }
}
