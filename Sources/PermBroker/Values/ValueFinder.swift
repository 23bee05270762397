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

  /// The greatest length of the values in a message. An answer repeats them beside other fields.
  private static let longest = MessageBuffer.longestCall - 8 * 1024

  /// Checks the costs of the values as they were found, because short links can lead to long paths.
  ///
  /// - Parameter facts: What is known about the paths, which can have other names.
  fileprivate func checkCosts(_ facts: [PathFact]) throws(BrokerError) {
    let bytes =
      atoms.reduce(0) { $0 + $1.scope.key.count }
      + facts.reduce(0) { $0 + ($1.spelling?.key.count ?? 0) + ($1.written?.utf8.count ?? 0) }
    // Names as short as these have fewer parts, and are short in a message, too, in which a byte takes at most six.
    guard bytes > AskedValues.mostParts else { return }
    let scopes = Set(atoms.map(\.scope) + facts.compactMap(\.spelling))
    try AskedValues.checkDepth(of: scopes.compactMap { SpelledPath($0)?.bytes })
    let length = (try? Self.length(of: atoms, facts)) ?? .max
    guard length > Self.longest else { return }
    throw .invalid(
      parameter: "values",
      reason: "the values have \(length) bytes in a message; at most \(Self.longest) are allowed")
  }

  private static func length(of atoms: Set<Atom>, _ facts: [PathFact]) throws -> Int {
    try WireCoding.encode(atoms.wireValues ?? []).count
      + WireCoding.encode(facts.map(Wire.PathFact.init)).count
  }
}

/// Finds out what the values of a request mean on this machine at the moment.
struct ValueFinder: Sendable {
  let resolver: PathResolver
  /// The home folder, which is never regarded as a project.
  let home: String
  /// The protected names; `nil` if no alert is made from what is found.
  var protected: ProtectedNames?
  /// Returns the entries that are denied to the program one by one, or that the machine's policy forbids to it.
  var deniedEntries: @Sendable (_ capability: String) throws -> Set<AbsolutePath> = { _ in [] }

  /// Resolves the paths that a program asks for.
  ///
  /// - Parameters:
  ///   - asker: The process that spelled the paths.
  ///   - workingFolder: The working folder of the program.
  ///   - forAlert: Whether to look for what only an alert shows: the project's folder and protected names.
  /// - Throws: ``BrokerError`` if the process has ended, if a path cannot even be made absolute, or if the values are
  ///   too long.
  func find(
    _ asked: AskedValues, by asker: ProcessIdentity, in workingFolder: String?, forAlert: Bool = true
  ) async throws -> FoundValues {
    guard !asked.paths.isEmpty else {
      let found = FoundValues(atoms: asked.others)
      try found.checkCosts([])
      return found
    }
    let known = try await facts(about: Set(asked.paths.map(\.spelled)), by: asker)
    guard ProcessStat(of: asker.pid)?.startTime == asker.startTime else { throw BrokerError.disconnected }
    var found = Self.found(asked, known)
    try found.checkCosts(Array(known.values))
    let facts = try await withDeniedLinks(Set(known.values.filter(\.tellsSomething)), asked.capability)
    found.facts.paths = facts.sorted { $0.order < $1.order }
    if forAlert {
      found.facts.project = await project(of: Array(known.values), in: workingFolder)
      found.facts.protected = await protectedNames(for: found)
    }
    return found
  }

  /// Resolves the paths that a process asks for, on the calling thread, which must be one of the resolver's.
  ///
  /// - Returns: `nil` if more has to be found out: if it is not certain which file is meant, or if a file has several names.
  func findNow(_ asked: AskedValues, by asker: ProcessIdentity, in view: ProcessView) -> FoundValues? {
    var known: [SpelledPath: PathFact] = [:]
    for path in asked.paths {
      let found = Result { () throws(PathDoubt) in
        try resolver.resolveNow(path.spelled.bytes, in: view)
      }
      guard case .success = found, let fact = try? fact(about: path.spelled, found, by: asker),
        fact.file == nil,
        fact.doubt == nil
      else { return nil }
      known[path.spelled] = fact
    }
    var found = Self.found(asked, known)
    guard (try? found.checkCosts(Array(known.values))) != nil else { return nil }
    found.facts.paths = known.values.filter(\.tellsSomething).sorted { $0.order < $1.order }
    return found
  }

  private static func found(_ asked: AskedValues, _ known: [SpelledPath: PathFact]) -> FoundValues {
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
  ) throws -> PathFact {
    let found: ResolvedPath
    do throws(PathDoubt) {
      found = try result.get()
      if path.isFolder, found.entry?.kind != .folder { throw found.entry == nil ? .missing : .notAFolder }
    } catch {
      let spelling = try spelling(of: path, by: asker)
      guard !spelling.leadsUpwards else { throw Self.inexpressible(spelling, error) }
      return PathFact(scope: try scope(path, spelling), doubt: error.reason)
    }
    var fact = PathFact(scope: try scope(path, found.path))
    if found.leadsElsewhere {
      fact.spelling = try scope(path, found.spelling)
      fact.written = found.written.map { String(validating: $0, as: UTF8.self) ?? Scope.escaped($0) }
    }
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

  /// Returns a path that cannot be resolved exactly as it was spelled, behind the working folder if it is relative.
  private func spelling(of path: SpelledPath, by asker: ProcessIdentity) throws(BrokerError) -> [UInt8] {
    if path.bytes.first == ResolvedPath.slash { return path.bytes }
    guard let folder = Paths.targetBytes(ofLink: "/proc/\(asker.pid)/cwd") else {
      throw .invalid(
        parameter: "values", reason: "the working folder of the program is unknown; write the whole path")
    }
    return folder + [ResolvedPath.slash] + path.bytes
  }

  /// Returns the error for a path that contains `..` and cannot be resolved. The meaning of `..` depends on links, so
  /// nobody could decide about such a path.
  private static func inexpressible(_ path: [UInt8], _ doubt: PathDoubt) -> BrokerError {
    .invalid(
      parameter: "values",
      reason:
        "it is not certain which file \(Scope.escaped(path)) is: \(doubt.reason); write the path without ..")
  }
}

// MARK: Files with several names

extension ValueFinder {
  /// The reason for a doubt about a file with several names, in words.
  private static let slowLook = "whether the file is denied under another name could not be found out in time"

  /// Adds, to each file with several names, the names under which it is denied. A single look examines all denied
  /// entries. If it takes too long, there is a doubt, so that no kept decision allows the file.
  private func withDeniedLinks(_ facts: Set<PathFact>, _ capability: String) async throws -> [PathFact] {
    guard facts.contains(where: { $0.file != nil }) else { return Array(facts) }
    let denied = try deniedEntries(capability)
    guard !denied.isEmpty else { return Array(facts) }
    let files = try? await resolver.look {
      denied.reduce(into: [:]) { files, path in files[path] = LinkedFile(at: path) }
    }
    return facts.map { fact in
      guard let file = fact.file else { return fact }
      var fact = fact
      guard let files else {
        fact.doubt = fact.doubt ?? Self.slowLook
        return fact
      }
      let scope = fact.scope
      let links = denied.filter { files[$0] == file }.map { Scope.path($0) }.filter { $0 != scope }
      fact.deniedLinks = links.isEmpty ? nil : links.sorted { $0.text < $1.text }
      return fact
    }
  }
}

extension LinkedFile {
  /// The file that is at a path now; `nil` if there is none.
  fileprivate init?(at path: AbsolutePath) {
    guard let status = FileStatus(path.bytes) else { return nil }
    self.init(device: status.device, inode: status.inode)
  }
}

extension [UInt8] {
  /// Whether a part of this path is `..`.
  fileprivate var leadsUpwards: Bool {
    split(separator: ResolvedPath.slash).contains { $0.elementsEqual("..".utf8) }
  }
}

extension PermissionStore {
  /// Returns the entries that are denied to a program one by one, or that a policy forbids to it.
  func deniedEntries(
    for subject: Subject, _ definition: CapabilityDefinition, _ policy: MachinePolicy
  ) throws(StoreError) -> Set<AbsolutePath> {
    let standing = try standing(of: subject, capability: definition.name)
    let denials = (standing.decisions.values + standing.everyone).filter { $0.verdict == .deny }.map(\.atom)
    let forbidden = denials + policy.restricted(for: subject, definition)
    return Set(forbidden.compactMap { if case .path(let path) = $0.scope { path } else { nil } })
  }
}

extension PathFact {
  /// Whether there is anything to say about the path beyond its scope.
  fileprivate var tellsSomething: Bool { spelling != nil || doubt != nil || file != nil }

  fileprivate var order: String { "\(scope.text) \(spelling?.text ?? "") \(written ?? "")" }
}
