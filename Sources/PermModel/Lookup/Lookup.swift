package import Machine

/// Finds out what the values of a request mean on this machine: which files, whether in the agent's folder, and which
/// conditions of command forms hold.
///
/// Every program is looked up so, whether a broker, a store without a broker, a command or the program itself does it.
package struct Lookup: Sendable {
  /// The store with the denials of single files; `nil` if it is outside this sandbox.
  private let store: (any PermissionStore)?
  private let resolver: PathResolver
  /// The home folder, which is never regarded as a project.
  private let home: String

  package init(
    in store: (any PermissionStore)?, resolver: PathResolver = ownResolver, home: String
  ) {
    self.store = store
    self.resolver = resolver
    self.home = home
  }

  /// The resolver of programs that look up their own values.
  package static let ownResolver = PathResolver()

  /// Finds out the meaning of the values that a program asks for.
  ///
  /// - Parameters:
  ///   - process: The process that spelled the values. They are looked up in its view, from its working folder, and with
  ///     its environment.
  ///   - judge: The judge of the program that asks.
  ///   - forAlert: Whether to look for what only an alert shows: the project's folder and protected names.
  /// - Throws: ``LookupRefused``, or any error of the store.
  package func resolve(
    _ asked: AskedValues, by process: AskingProcess, for judge: Judge, forAlert: Bool = true
  ) async throws -> ResolvedValues {
    try asked.checkLines()
    var found = try await resolver(for: judge).resolve(
      asked, by: process.identity, in: process.workingFolder(), forAlert: forAlert)
    found.facts.dialect = asked.dialect
    found.facts.onceReason = asked.onceReason
    guard !asked.lines.isEmpty else { return found }
    found.facts.isElsewhere = await isElsewhere(process.identity, than: judge.subject.folder)
    // A command form is about arguments, which other protocols do not tell.
    if asked.dialect == nil, asked.onceReason == nil, !found.facts.isElsewhere {
      let outcome = await conditions(for: process, by: judge)?.forms(of: asked.lines, for: judge.subject)
      found.facts.forms = outcome?.forms ?? []
      found.facts.formsReason = outcome?.reason
      found.facts.writer = writer(besides: asked.lines, for: judge.subject)
      found.facts.words = await words(of: asked.lines, by: process, for: judge)
    }
    return found
  }

  /// Returns the name of a program that may write in an agent's folder, if lines run what the files there say.
  private func writer(besides lines: [String], for subject: Subject) -> String? {
    guard let folder = subject.folder.flatMap({ try? AbsolutePath($0.path) }), let store,
      lines.contains(where: { PossibleLine($0).runsFolder })
    else { return nil }
    let writers = try? store.decisionsToWrite(in: folder).map(\.subject.label)
    // If the decisions cannot be read, any program could.
    return writers.map { $0.min() } ?? "another program"
  }

  /// Returns the facts about the words of an agent's lines. Lines with holes are kept for a folder, so there are none for
  /// other programs.
  private func words(of lines: [String], by process: AskingProcess, for judge: Judge) async -> WordFacts? {
    guard judge.subject.folder != nil, let conditions = conditions(for: process, by: judge) else {
      return nil
    }
    let looking = WordLookup(resolver: resolver, asker: process.identity)
    let hasFolders = process.variables()?["CDPATH"] == nil
    guard var facts = await looking.facts(about: lines, hasFolders: hasFolders) else { return nil }
    for file in facts.files where await !conditions.mayRead(Array(file.utf8)) { facts.files.remove(file) }
    return facts
  }

  /// Returns the resolver of the paths that a program asks for.
  package func resolver(for judge: Judge) -> ValueResolver {
    ValueResolver(resolver: resolver, home: home, protected: store?.environment.protected ?? .current) {
      [store] in try store?.deniedPlaces(by: judge) ?? DeniedPlaces([])
    }
  }

  /// Whether a process works in another folder than the one to which the decisions about its program apply.
  private func isElsewhere(_ process: ProcessIdentity, than folder: ProgramFolder?) async -> Bool {
    guard let folder else { return false }
    let now = try? await resolver.look { FileStatus("/proc/\(process.pid)/cwd") }
    return now.map { $0.device != folder.device || $0.inode != folder.inode } ?? true
  }

  private func conditions(for process: AskingProcess, by judge: Judge) -> FormConditions? {
    guard let store, let variables = process.variables() else { return nil }
    let files = judge.judge(of: ValueCapability.files)
    return FormConditions(
      values: resolver(for: files), asker: process.identity, environment: FormVariables(variables: variables)
    ) { found in
      (try? store.judgement(on: found.atoms, found.facts, by: files).isAllowed) ?? false
    }
  }
}

extension PermissionStore {
  /// Returns the files and folders that are denied to a program, or that the policy forbids to it.
  fileprivate func deniedPlaces(by judge: Judge) throws(StoreError) -> DeniedPlaces {
    // Of the decisions about values, the store reads only denials then.
    let everything = Set(judge.definition.atoms)
    return DeniedPlaces(
      judge.deniedScopes(
        try standing(of: judge.subject, capability: judge.definition.name, asking: everything)))
  }
}
