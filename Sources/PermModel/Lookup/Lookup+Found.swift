import Machine

extension Lookup {
  /// Returns what an alert shows about values whose meaning is certain already.
  package func facts(
    about atoms: Set<Atom>, in workingFolder: String?, for judge: Judge
  ) async -> ValueFacts {
    let values = resolver(for: judge)
    var found = ResolvedValues(atoms: atoms)
    for case .path(let path) in atoms.map(\.scope) where await isFolder(path, values) {
      found.facts.namedFolders = (found.facts.namedFolders ?? []).union([.path(path)])
    }
    found.facts.project = await values.project(
      of: atoms.sorted().map { PathFact(scope: $0.scope) }, in: workingFolder)
    found.facts.protected = await values.protectedNames(for: found)
    return found.facts
  }

  private func isFolder(_ path: AbsolutePath, _ values: ValueResolver) async -> Bool {
    (try? await values.resolver.look { FileStatus(path.bytes, followingLinks: false)?.kind == .folder })
      ?? false
  }
}
