import Machine

/// The conditions on this machine under which a line of a command form does only what the form says.
package struct FormConditions: Sendable {
  private let values: ValueResolver
  private let asker: ProcessIdentity
  let environment: FormVariables
  /// The path of git's settings for all users.
  private let systemSettings: String
  /// Whether the program is allowed to read these files at the moment.
  private let mayRead: @Sendable (ResolvedValues) -> Bool

  package init(
    values: ValueResolver, asker: ProcessIdentity, environment: FormVariables,
    systemSettings: String = "/etc/gitconfig",
    mayRead: @escaping @Sendable (ResolvedValues) -> Bool
  ) {
    self.values = values
    self.asker = asker
    self.environment = environment
    self.systemSettings = systemSettings
    self.mayRead = mayRead
  }

  /// The greatest number of joined lines that are examined.
  private static let mostLines = 16

  /// The forms whose conditions hold, and the reason why another one is not among them.
  package struct Outcome: Sendable {
    package var forms: Set<String> = []
    /// The reason in words that can follow "because"; `nil` if there is none, or if it is of no use to a person.
    package var reason: String?
  }

  /// Returns the names of the forms to which some of these lines belong, if their conditions hold for every such line.
  /// The parts of a joined line are treated as lines of their own.
  package func forms(of lines: [String]) async -> Outcome {
    let parts = Set(lines.flatMap(FormPart.all))
    var outcome = Outcome()
    guard parts.count <= Self.mostLines else { return outcome }
    // By the name of a line's form. If it holds for all such lines in the same way, there is one element.
    var found: [String: Set<String?>] = [:]
    for part in parts.sorted(by: { $0.order < $1.order }) {
      let name = part.line.form.name
      do throws(Obstacle) {
        found[name, default: []].insert(try await check(part).name)
      } catch {
        found[name, default: []].insert(nil)
        outcome.reason = outcome.reason ?? error.reason
      }
    }
    outcome.forms = Set(found.values.compactMap { $0.count == 1 ? $0.first ?? nil : nil })
    return outcome
  }

  /// Returns the same for a program. A form such as `make` runs what the files of a folder say, so it can be allowed only to
  /// an agent in that folder.
  func forms(of lines: [String], for subject: Subject) async -> Outcome {
    var outcome = await forms(of: lines)
    if subject.folder == nil {
      outcome.forms = outcome.forms.filter { CommandForm(named: $0)?.runsFolder != true }
    }
    return outcome
  }

  /// A condition that does not hold.
  struct Obstacle: Error {
    var reason: String?
  }

  /// A line of a form, and the folder in which it runs, as it is written.
  private struct FormPart: Hashable {
    var line: FormLine
    var folder: String

    static func all(in line: String) -> [FormPart] {
      let shell = ShellLine(line)
      let (folder, parts) = shell.inFolder.map { ($0.folder, $0.parts) } ?? (".", shell.parts)
      return parts.compactMap { FormLine($0).map { FormPart(line: $0, folder: folder) } }
    }

    var order: String { "\(folder) \(line.form.name) \(line.paths)" }

    /// A path in the line, as it is meant where the program works.
    func path(_ path: String) -> [UInt8] {
      Array((path.hasPrefix("/") || folder == "." ? path : "\(folder)/\(path)").utf8)
    }
  }

  /// Returns the form of a line, with the address to which it sends, if its conditions hold.
  private func check(_ part: FormPart) async throws(Obstacle) -> CommandForm {
    let form = part.line.form
    if let obstacle = environment.obstacle(to: form) { throw Obstacle(reason: obstacle) }
    guard await isProtected(String(form.program)) else {
      throw Obstacle(reason: "others than root could replace \(form.program)")
    }
    switch form.effect {
    case .reads: try await checkFiles(of: part)
    case .looksAtRepository, .sends: return try await checkRepository(of: part)
    case .runsFolder(let files):
      try await checkFolder(of: part, says: files)
      try await checkPlaces(of: part)
    }
    return form
  }

  // MARK: Files that run

  /// Checks that a file in the very folder says what is run. Otherwise, programs look for one in the folders above.
  private func checkFolder(of part: FormPart, says files: [String]) async throws(Obstacle) {
    guard try await folder(part.folder) == folder(".") else {
      throw Obstacle(reason: "it runs in another folder")
    }
    for file in files {
      if let found = try? await resolve(part.path(file)), found.entry?.kind == .file, !found.leadsElsewhere {
        return
      }
    }
    throw Obstacle(reason: "there is no \(files[files.count - 1]) in this folder")
  }

  /// Checks that the words of a line that could be paths lie in the folder.
  private func checkPlaces(of part: FormPart) async throws(Obstacle) {
    guard let folder = try? await resolve([UInt8(ascii: ".")]).path else { throw Obstacle() }
    for path in part.line.paths {
      guard let found = try? await resolve(part.path(path)), found.entry != nil,
        found.path.starts(with: folder + [UInt8(ascii: "/")])
      else { throw Obstacle(reason: "\(path) is not in this folder") }
    }
  }

  // MARK: Files that are read

  private func checkFiles(of part: FormPart) async throws(Obstacle) {
    for path in part.line.paths {
      if part.line.readsOnlyFiles {
        guard (try? await resolve(part.path(path)))?.entry?.kind == .file else { throw Obstacle() }
      }
      guard await mayRead(part.path(path)) else { throw Obstacle(reason: "it may not read \(path)") }
    }
  }

  /// Whether a file is allowed to be read, or a folder with everything below it.
  func mayRead(_ operand: [UInt8]) async -> Bool {
    guard let entry = try? await resolve(operand).entry, entry.kind == .file || entry.kind == .folder,
      let spelled = try? SpelledPath(operand, isFolder: entry.kind == .folder)
    else { return false }
    var asked = AskedValues(capability: "files")
    asked.paths = [AskedValues.Path(part: "read", spelled: spelled)]
    guard let found = try? await values.resolve(asked, by: asker, in: nil, forAlert: false),
      found.facts.doubts.isEmpty
    else {
      return false
    }
    return mayRead(found)
  }

  private func resolve(_ path: [UInt8]) async throws(PathDoubt) -> ResolvedPath {
    try await values.resolver.resolve(path, by: asker.pid, startedAt: asker.startTime)
  }
}

// MARK: - The program

extension FormConditions {
  /// Programs that git itself looks up on the search path.
  private static let helpersOfGit = ["ssh", "less", "sh"]

  private func areHelpersProtected() async -> Bool {
    for helper in Self.helpersOfGit {
      guard await isProtected(helper, ifMissing: true) else { return false }
    }
    return true
  }

  /// Whether the first program with this name on the asking process's search path, and the folder in which it is found,
  /// can be changed by root only.
  ///
  /// - Parameter isMissing: The result if there is no program with this name.
  private func isProtected(_ program: String, ifMissing isMissing: Bool = false) async -> Bool {
    let folders = (environment.variables["PATH"] ?? "/usr/bin:/bin").utf8.split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    for folder in folders {
      guard folder.first == UInt8(ascii: "/") else { return false }
      do throws(PathDoubt) {
        let found = try await resolve(Array(folder) + Array("/\(program)".utf8))
        guard let entry = found.entry, entry.kind == .file, entry.mode & 0o111 != 0 else { continue }
        let place = try await resolve(Array(folder))
        return await areProtected([found.path, place.path])
      } catch .missing {
        continue
      } catch {
        return false
      }
    }
    return isMissing
  }

  /// Whether only root can change these programs, which are looked up on the search path.
  func areProtected(_ programs: Set<String>) async -> Bool {
    for program in programs {
      guard await isProtected(program) else { return false }
    }
    return true
  }

  private func areProtected(_ paths: [[UInt8]]) async -> Bool {
    let texts = paths.compactMap { String(validating: $0, as: UTF8.self) }
    let areProtected = try? await values.resolver.look { texts.allSatisfy(ProtectedFile.isProtected) }
    return areProtected == true && texts.count == paths.count
  }
}

// MARK: - The repository

extension FormConditions {
  private func checkRepository(of part: FormPart) async throws(Obstacle) -> CommandForm {
    guard await areHelpersProtected() else {
      throw Obstacle(reason: "others than root could replace what git runs")
    }
    let here = try await folder(".")
    let start = try await folder(String(decoding: part.path(part.line.folder ?? "."), as: UTF8.self))
    guard start == here || here.isAbove(start) else { throw Obstacle(reason: "git would look elsewhere") }
    let looking = try? await values.resolver.look {
      [home = environment.home, systemSettings, line = part.line] in
      GitRepository(from: start, home: home, systemSettings: systemSettings).map {
        ($0, $0.obstacle(for: line), $0.form(of: line))
      }
    }
    guard let (repository, obstacle, form) = looking ?? nil else {
      throw Obstacle(reason: "git's repository here is none that it would use for certain")
    }
    guard repository.root == here || repository.root.isAbove(here) else { throw Obstacle() }
    if let obstacle { throw Obstacle(reason: obstacle) }
    guard let form else {
      throw Obstacle(reason: "the settings give the remote no address of another machine, or several")
    }
    if part.line.printsFiles, await !mayRead(repository.root.bytes) {
      throw Obstacle(reason: "the program is not allowed to read the whole repository")
    }
    return form
  }

  private func folder(_ path: String) async throws(Obstacle) -> AbsolutePath {
    guard let found = try? await resolve(Array(path.utf8)), found.entry?.kind == .folder,
      let path = try? AbsolutePath(found.path)
    else { throw Obstacle() }
    return path
  }
}
