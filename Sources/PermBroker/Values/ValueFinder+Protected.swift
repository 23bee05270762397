import Machine
import PermModel

extension ValueFinder {
  /// Returns the protected names in the folders that an alert can offer for writing; `nil` if there are none, if it is not
  /// certain where a path leads, or if looking takes too long.
  func protectedNames(for found: FoundValues) async -> [ProtectedFact]? {
    let written = found.atoms.filter(\.writesFiles).map(\.scope)
    guard let protected, !written.isEmpty, found.facts.doubts.isEmpty else { return nil }
    let folders = Set(written.compactMap(\.nearestFolder) + [found.facts.project].compactMap(\.self))
      .compactMap { scope -> AbsolutePath? in
        guard case .folder(let folder) = scope, !protected.isTooWide(folder) else { return nil }
        return written.allSatisfy(scope.covers) ? folder : nil
      }
    guard !folders.isEmpty else { return nil }
    let names = try? await resolver.look { folders.sorted { $1.isAbove($0) }.compactMap(protected.found) }
    return names?.isEmpty == false ? names : nil
  }
}

extension Scope {
  /// The folder itself, or the folder that contains the entry.
  fileprivate var nearestFolder: Scope? {
    switch self {
    case .path(let path): path.parent.map { .folder($0) }
    case .folder: self
    default: nil
    }
  }
}
