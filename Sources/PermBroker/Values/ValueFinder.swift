import Machine
import PermModel

/// The values of a request as they are decided, and what is known about them.
struct FoundValues: Hashable, Sendable {
  var atoms: Set<Atom>
  var facts = ValueFacts()
  /// The atoms as the program asked for them, keyed by the atoms that are decided. Only atoms with paths are included.
  fileprivate(set) var asked: [Atom: Set<Atom>] = [:]

  /// Returns atoms as the program asked for them.
  func asAsked(_ atoms: Set<Atom>) -> Set<Atom> {
    Set(atoms.flatMap { asked[$0] ?? [$0] })
  }
}

/// Finds out what the values of a request mean on this machine at the moment.
struct ValueFinder: Sendable {
  let resolver: PathResolver
  /// The home folder, which is never regarded as a project.
  let home: String

  /// Resolves the paths that a program asks for.
  ///
  /// - Parameters:
  ///   - asker: The process that spelled the paths.
  ///   - workingFolder: The working folder of the program.
  /// - Throws: ``BrokerError`` if the process has ended, or if a path cannot even be made absolute.
  func find(
    _ asked: AskedValues, by asker: ProcessIdentity, in workingFolder: String?
  ) async throws -> FoundValues {
    guard !asked.paths.isEmpty else { return FoundValues(atoms: asked.others) }
    let known = try await facts(about: Set(asked.paths.map(\.spelled)), by: asker)
    guard ProcessStat(of: asker.pid)?.startTime == asker.startTime else { throw BrokerError.disconnected }
    var found = FoundValues(atoms: asked.others)
    for path in asked.paths {
      guard let fact = known[path.spelled] else { continue }
      let atom = Atom(asked.capability, path.part, fact.scope)
      found.atoms.insert(atom)
      let spelled = (try? AbsolutePath(path.spelled.bytes)).map {
        Scope.found($0, isFolder: path.spelled.isFolder)
      }
      found.asked[atom, default: []].insert(Atom(asked.capability, path.part, spelled ?? fact.scope))
    }
    found.facts.paths = Set(known.values.filter(\.tellsSomething)).sorted { $0.order < $1.order }
    found.facts.project = await project(of: Array(known.values), in: workingFolder)
    return found
  }

  // MARK: Paths

  private func facts(
    about paths: Set<SpelledPath>, by asker: ProcessIdentity
  ) async throws -> [SpelledPath: PathFact] {
    try await withThrowingTaskGroup(of: (SpelledPath, PathFact).self) { group in
      for path in paths { group.addTask { (path, try await fact(about: path, by: asker)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func fact(about path: SpelledPath, by asker: ProcessIdentity) async throws -> PathFact {
    let found: ResolvedPath
    do throws(PathDoubt) {
      found = try await resolver.resolve(path.bytes, by: asker.pid, startedAt: asker.startTime)
      if path.isFolder, found.entry?.kind != .folder { throw found.entry == nil ? .missing : .notAFolder }
    } catch {
      return PathFact(scope: try scope(path, try spelling(of: path, by: asker)), doubt: error.reason)
    }
    var fact = PathFact(scope: try scope(path, found.path))
    if found.leadsElsewhere { fact.spelling = try scope(path, found.spelling) }
    if let entry = found.entry, entry.kind != .folder, entry.links > 1 {
      fact.file = LinkedFile(device: entry.device, inode: entry.inode)
    }
    return fact
  }

  private func scope(_ path: SpelledPath, _ bytes: [UInt8]) throws(BrokerError) -> Scope {
    do throws(ScopeError) {
      return .found(try AbsolutePath(bytes), isFolder: path.isFolder)
    } catch {
      throw .invalid(parameter: "values", reason: "\(error)")
    }
  }

  /// Returns a path that cannot be resolved as an absolute path, by its text alone.
  private func spelling(of path: SpelledPath, by asker: ProcessIdentity) throws(BrokerError) -> [UInt8] {
    if path.bytes.first == ResolvedPath.slash { return ResolvedPath.spelling(path.bytes, from: []) }
    guard let folder = Paths.targetBytes(ofLink: "/proc/\(asker.pid)/cwd") else {
      throw .invalid(
        parameter: "values", reason: "the working folder of the program is unknown; write the whole path")
    }
    return ResolvedPath.spelling(path.bytes, from: folder)
  }
}

extension PathFact {
  /// Whether there is anything to say about the path beyond its scope.
  fileprivate var tellsSomething: Bool { spelling != nil || doubt != nil || file != nil }

  fileprivate var order: String { "\(scope.text) \(spelling?.text ?? "")" }
}
