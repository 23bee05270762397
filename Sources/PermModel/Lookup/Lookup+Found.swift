import Machine

extension Lookup {
  /// Returns what an alert shows about a value whose meaning is certain already.
  package func facts(about atom: Atom, in workingFolder: String?, for judge: Judge) async -> ValueFacts {
    let values = resolver(for: judge)
    var found = ResolvedValues(atoms: [atom])
    if case .path(let path) = atom.scope, await isFolder(path, values) {
      found.facts.namedFolders = [atom.scope]
    }
    found.facts.project = await values.project(of: [PathFact(scope: atom.scope)], in: workingFolder)
    found.facts.protected = await values.protectedNames(for: found)
    return found.facts
  }

  private func isFolder(_ path: AbsolutePath, _ values: ValueResolver) async -> Bool {
    (try? await values.resolver.look { FileStatus(path.bytes, followingLinks: false)?.kind == .folder })
      ?? false
  }
}
