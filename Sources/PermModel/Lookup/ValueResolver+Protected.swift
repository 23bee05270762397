import Machine

extension ValueResolver {
  /// Returns the protected names in the folders that an alert can offer for writing; `nil` if there are none, if it is not
  /// certain where a path leads, or if looking takes too long.
  func protectedNames(for found: ResolvedValues) async -> [ProtectedFact]? {
    let written = found.atoms.filter(\.writesFiles).map(\.scope)
    guard !written.isEmpty, found.facts.doubts.isEmpty else { return nil }
    let folders = protected.foldersOnOffer(
      for: found.facts.withAllBelow(written), project: found.facts.project)
    guard !folders.isEmpty else { return nil }
    let names = try? await resolver.look { folders.compactMap(protected.found) }
    return names?.isEmpty == false ? names : nil
  }
}
