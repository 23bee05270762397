import Machine

extension ValueResolver {
  /// The greatest number of folders that are searched for `.git`.
  private static let mostFolders = 64

  /// Returns the folder of the project in which all paths lie: the nearest folder with `.git`, otherwise the working folder
  /// of the program. The home folder, and the folders in which it lies, are no projects.
  ///
  /// - Returns: `nil` if there is no such folder, or if it is not certain where a path leads.
  package func project(of facts: [PathFact], in workingFolder: String?) async -> Scope? {
    let paths = facts.compactMap { $0.doubt == nil ? SpelledPath($0.scope) : nil }
    guard paths.count == facts.count else { return nil }
    let found = try? await resolver.look { [home] in
      Self.project(of: paths.compactMap(ProjectPath.init), in: workingFolder, home: home)
    }
    return found.map { .folder($0) }
  }

  private static func project(
    of paths: [ProjectPath], in workingFolder: String?, home: String
  ) -> AbsolutePath? {
    let home = try? AbsolutePath(Paths.resolved(home) ?? home)
    func isFit(_ folder: AbsolutePath) -> Bool {
      if let home, folder == home || folder.isAbove(home) { return false }
      return folder != .root && paths.allSatisfy { $0.isInside(folder) }
    }
    let candidates = paths.first?.folders.prefix(mostFolders).filter(isFit) ?? []
    if let folder = candidates.first(where: { FileStatus($0.bytes + Array("/.git".utf8)) != nil }) {
      return folder
    }
    return workingFolder.flatMap { try? AbsolutePath($0) }.flatMap { isFit($0) ? $0 : nil }
  }
}

/// A path that is searched for the project in which it lies.
private struct ProjectPath {
  var path: AbsolutePath
  var isFolder: Bool

  init?(_ path: SpelledPath) {
    guard let absolute = try? AbsolutePath(path.bytes) else { return nil }
    (self.path, isFolder) = (absolute, path.isFolder)
  }

  /// The folders in which the path lies, the nearest first. A folder with everything below it lies in itself.
  var folders: [AbsolutePath] { (isFolder ? [path] : []) + path.parents }

  func isInside(_ folder: AbsolutePath) -> Bool { folder.isAbove(path) || (isFolder && folder == path) }
}
