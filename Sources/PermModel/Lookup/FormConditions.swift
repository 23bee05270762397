import Machine

/// The conditions on this machine under which a line of a command form does only what the form says.
package struct FormConditions: Sendable {
  private let values: ValueResolver
  private let asker: ProcessIdentity
  private let environment: FormVariables
  /// Whether the program is allowed to read these files at the moment.
  private let mayRead: @Sendable (ResolvedValues) -> Bool

  package init(
    values: ValueResolver, asker: ProcessIdentity, environment: FormVariables,
    mayRead: @escaping @Sendable (ResolvedValues) -> Bool
  ) {
    self.values = values
    self.asker = asker
    self.environment = environment
    self.mayRead = mayRead
  }

  /// The greatest number of joined lines that are examined.
  private static let mostLines = 16

  /// Returns the names of the forms to which some of these lines belong, if their conditions hold for every such line.
  /// The parts of a joined line are treated as lines of their own.
  package func forms(of lines: [String]) async -> Set<String> {
    let parts = Set(lines.flatMap { ShellLine($0).parts })
    guard parts.count <= Self.mostLines else { return [] }
    var (holding, others): (Set<String>, Set<String>) = ([], [])
    for part in parts {
      guard let form = CommandForm(of: part) else { continue }
      if await hold(for: form, part) { holding.insert(form.name) } else { others.insert(form.name) }
    }
    return holding.subtracting(others)
  }

  /// Returns the names of the forms, as ``forms(of:)`` does, that can be allowed to a program. A form such as `make` runs
  /// what the files of a folder say, so it can be allowed only to an agent in that folder.
  func forms(of lines: [String], for subject: Subject) async -> Set<String> {
    let forms = await forms(of: lines)
    guard subject.folder == nil else { return forms }
    return forms.filter { CommandForm(named: $0)?.effect != .runsFolder }
  }

  private func hold(for form: CommandForm, _ line: String) async -> Bool {
    guard environment.areHarmless(for: form), await isProtected(String(form.program)) else { return false }
    if form.program == "git" {
      guard await areHelpersProtected() else { return false }
      return await isInSafeRepository(pushingTo: form.remote(in: line))
    }
    return await mayReadAll(form.paths(in: line))
  }

  // MARK: Files that are read

  private func mayReadAll(_ operands: [Substring]) async -> Bool {
    for operand in operands {
      guard await mayRead(Array(operand.utf8)) else { return false }
    }
    return true
  }

  /// Whether a file is allowed to be read, or a folder with everything below it.
  func mayRead(_ operand: [UInt8]) async -> Bool {
    guard let entry = try? await resolve(operand).entry,
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

  private func areProtected(_ paths: [[UInt8]]) async -> Bool {
    let texts = paths.compactMap { String(validating: $0, as: UTF8.self) }
    let areProtected = try? await values.resolver.look { texts.allSatisfy(ProtectedFile.isProtected) }
    return areProtected == true && texts.count == paths.count
  }
}

// MARK: - The repository

extension FormConditions {
  /// Whether git finds a repository from the working folder that nobody else can change. Its settings can name programs
  /// that git runs.
  ///
  /// - Parameter remote: A remote that the settings must name. Otherwise git takes the name for a path, and runs the hooks
  ///   of the repository that it finds there.
  private func isInSafeRepository(pushingTo remote: String?) async -> Bool {
    guard let folder = try? await resolve([UInt8(ascii: ".")]).path,
      let text = String(validating: folder, as: UTF8.self)
    else { return false }
    let isSafe = try? await values.resolver.look {
      guard let settings = Self.safeSettings(above: text) else { return false }
      return remote.map { Self.names($0, settings) } ?? true
    }
    return isSafe == true
  }

  /// Returns the path of the settings of the repository that git finds from a folder; `nil` if there is none, or if
  /// somebody else can change it.
  private static func safeSettings(above folder: String) -> String? {
    guard let path = try? AbsolutePath(folder) else { return nil }
    for folder in [path] + path.parents {
      let text = String(decoding: folder.bytes, as: UTF8.self)
      if FileStatus("\(text)/.git", followingLinks: false) != nil {
        let hooks = "\(text)/.git/hooks"
        let isSafe =
          isOurs(text, .folder) && isOurs("\(text)/.git", .folder) && isOurs("\(text)/.git/config", .file)
          && (FileStatus(hooks, followingLinks: false) == nil || isOurs(hooks, .folder))
        return isSafe ? "\(text)/.git/config" : nil
      }
      // Without .git, git regards a folder with these entries as a repository. A commit can contain such a folder.
      if FileStatus("\(text)/HEAD") != nil, FileStatus("\(text)/objects") != nil { return nil }
    }
    return nil
  }

  /// Whether settings give a remote an address.
  private static func names(_ remote: String, _ settings: String) -> Bool {
    let lines = (Files.text(of: settings) ?? "").split(whereSeparator: \.isNewline).map {
      $0.filter { $0 != " " && $0 != "\t" }
    }
    guard let start = lines.firstIndex(of: "[remote\"\(remote)\"]") else { return false }
    return lines[(start + 1)...].prefix { !$0.hasPrefix("[") }.contains {
      $0.hasPrefix("url=") && $0 != "url="
    }
  }

  private static func isOurs(_ path: String, _ kind: FileStatus.Kind) -> Bool {
    guard let status = FileStatus(path, followingLinks: false), status.kind == kind else { return false }
    return (status.isOwn || status.owner == 0) && !status.isWritableByOthers
  }
}
