package import Machine

/// Finds out which files the paths of a request mean at the moment.
package struct ValueResolver: Sendable {
  package let resolver: PathResolver
  /// The home folder, which is never regarded as a project.
  let home: String
  let protected: ProtectedNames
  /// Returns the files and folders that are denied to the program, or that the machine's policy forbids to it.
  private let deniedPlaces: @Sendable () throws -> DeniedPlaces

  package init(
    resolver: PathResolver, home: String, protected: ProtectedNames = .current,
    deniedPlaces: @escaping @Sendable () throws -> DeniedPlaces = { DeniedPlaces([]) }
  ) {
    self.resolver = resolver
    self.home = home
    self.protected = protected
    self.deniedPlaces = deniedPlaces
  }

  /// Resolves the paths that a program asks for.
  ///
  /// - Parameters:
  ///   - asker: The process that spelled the paths.
  ///   - workingFolder: The working folder of the program.
  ///   - forAlert: Whether to look for what only an alert shows: the project's folder and protected names.
  /// - Throws: ``LookupRefused``, or any error of the store.
  package func resolve(
    _ asked: AskedValues, by asker: ProcessIdentity, in workingFolder: String?, forAlert: Bool = true
  ) async throws -> ResolvedValues {
    guard !asked.paths.isEmpty else { return ResolvedValues(atoms: asked.others) }
    let known = try await facts(about: Set(asked.paths.map(\.spelled)), by: asker)
    guard ProcessStat(of: asker.pid)?.startTime == asker.startTime else { throw LookupRefused.processEnded }
    var found = ResolvedValues(asked, known.mapValues(\.fact))
    let facts = known.values.map(\.fact)
    found.facts.paths = facts.filter(\.tellsSomething)
    let folders = Set(known.values.filter(\.isNamedFolder).map(\.fact.scope))
    found.facts.namedFolders = folders.isEmpty ? nil : folders
    try found.checkDepth()
    found.facts.paths = try await withDeniedLinks(facts).filter(\.tellsSomething)
      .sorted { $0.order < $1.order }
    if forAlert {
      found.facts.project = await project(of: facts, in: workingFolder)
      found.facts.protected = await protectedNames(for: found)
    }
    return found
  }

  // MARK: Paths

  private func facts(
    about paths: Set<SpelledPath>, by asker: ProcessIdentity
  ) async throws -> [SpelledPath: KnownPath] {
    try await withThrowingTaskGroup(of: (SpelledPath, KnownPath).self) { group in
      for path in paths { group.addTask { (path, try await fact(about: path, by: asker)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func fact(about path: SpelledPath, by asker: ProcessIdentity) async throws -> KnownPath {
    let found: Result<ResolvedPath, PathDoubt>
    do throws(PathDoubt) {
      found = .success(try await resolver.resolve(path.bytes, by: asker.pid, startedAt: asker.startTime))
    } catch {
      found = .failure(error)
    }
    return try fact(about: path, found, by: asker)
  }

  private func fact(
    about path: SpelledPath, _ result: Result<ResolvedPath, PathDoubt>, by asker: ProcessIdentity
  ) throws -> KnownPath {
    let found: ResolvedPath
    do throws(PathDoubt) {
      found = try result.get()
      if path.isFolder, found.entry?.kind != .folder { throw found.entry == nil ? .missing : .notAFolder }
    } catch {
      let spelling = try spelling(of: path, by: asker)
      guard !spelling.leadsUpwards else { throw Self.inexpressible(spelling, error) }
      return KnownPath(fact: PathFact(scope: try scope(path, spelling), doubt: error.reason))
    }
    var fact = PathFact(scope: try scope(path, found.path))
    if found.leadsElsewhere {
      fact.spelling = try scope(path, found.spelling)
      fact.written = found.written.map { String(validating: $0, as: UTF8.self) ?? Scope.escaped($0) }
    }
    if let entry = found.entry, entry.kind != .folder, entry.links > 1 {
      fact.file = LinkedFile(device: entry.device, inode: entry.inode)
    }
    return KnownPath(fact: fact, isNamedFolder: !path.isFolder && found.entry?.kind == .folder)
  }

  private func scope(_ path: SpelledPath, _ bytes: [UInt8]) throws(LookupRefused) -> Scope {
    do throws(ScopeError) {
      return .found(try AbsolutePath(bytes), isFolder: path.isFolder)
    } catch {
      throw .unfit(reason: "\(error)")
    }
  }

  /// Returns a path that cannot be resolved exactly as it was spelled, behind the working folder if it is relative.
  private func spelling(of path: SpelledPath, by asker: ProcessIdentity) throws(LookupRefused) -> [UInt8] {
    if path.bytes.first == ResolvedPath.slash { return path.bytes }
    guard let folder = Paths.targetBytes(ofLink: "/proc/\(asker.pid)/cwd") else {
      throw .unfit(reason: "the working folder of the program is unknown; write the whole path")
    }
    return folder + [ResolvedPath.slash] + path.bytes
  }

  /// Returns the error for a path that contains `..` and cannot be resolved. The meaning of `..` depends on links, so
  /// nobody could decide about such a path.
  private static func inexpressible(_ path: [UInt8], _ doubt: PathDoubt) -> LookupRefused {
    .unfit(
      reason:
        "it is not certain which file \(Scope.escaped(path)) is: \(doubt.reason); write the path without ..")
  }
}

// MARK: Files with several names

extension ValueResolver {
  /// The reason for a doubt about a file that can have several names, in words.
  private static let slowLook = "whether the file is denied under another name could not be found out in time"

  /// Adds the names under which files, or folders above them, are denied. A single look examines all denied places. If it
  /// takes too long, there is a doubt, so that no kept decision allows a file.
  private func withDeniedLinks(_ facts: [PathFact]) async throws -> [PathFact] {
    let denied = try deniedPlaces()
    let found = facts.filter(\.isFound).map(\.scope)
    guard !denied.isEmpty, !found.isEmpty else { return facts }
    let names = try? await resolver.look { [found] in
      let names = DeniedNames(denied)
      return found.reduce(into: [Scope: [Scope]]()) { $0[$1] = names.others(of: $1) }
    }
    return facts.map { fact in
      guard fact.isFound else { return fact }
      var fact = fact
      if let others = names?[fact.scope] {
        fact.deniedLinks = others.isEmpty ? nil : others
      } else {
        fact.doubt = fact.doubt ?? Self.slowLook
      }
      return fact
    }
  }
}

/// A path as it was found.
private struct KnownPath: Sendable {
  var fact: PathFact
  /// Whether it is a folder that was named as a single entry.
  var isNamedFolder = false
}

extension [UInt8] {
  /// Whether a part of this path is `..`.
  fileprivate var leadsUpwards: Bool {
    split(separator: ResolvedPath.slash).contains { $0.elementsEqual("..".utf8) }
  }
}

extension PathFact {
  /// Whether there is anything to say about the path beyond its scope.
  fileprivate var tellsSomething: Bool {
    spelling != nil || doubt != nil || file != nil || deniedLinks != nil
  }

  /// Whether the path leads to something that has an identity now, even if another program answers for its file system.
  /// Such file systems are also those that ignore the case of letters, where a denied file has many names.
  fileprivate var isFound: Bool { doubt == nil || doubt == PathDoubt.unknownFileSystem.reason }

  fileprivate var order: String { "\(scope.text) \(spelling?.text ?? "") \(written ?? "")" }
}
