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
    var asked =
      try process.vouchedFolder.map { folder throws(ScopeError) in try asked.leading(from: folder) } ?? asked
    if asked.dialect == .codex, asked.linesNameFolders { asked.dialect = nil }
    var found = try await resolver(for: judge).resolve(
      asked, by: process.identity, in: process.workingFolder(), forAlert: forAlert)
    found.facts.dialect = asked.dialect
    found.facts.onceReason = asked.onceReason
    if !asked.lines.isEmpty { await addFacts(about: asked, by: process, for: judge, to: &found.facts) }
    return found
  }

  /// Returns the resolver of the paths that a program asks for.
  func resolver(for judge: Judge) -> ValueResolver {
    ValueResolver(resolver: resolver, home: home, protected: store?.environment.protected ?? .current) {
      [store] in try store?.deniedPlaces(by: judge) ?? DeniedPlaces([])
    }
  }
}

// MARK: - Lines

extension Lookup {
  /// Adds what is known about the lines that a program wants to run. A command form is about arguments, which Deno does not
  /// tell.
  private func addFacts(
    about asked: AskedValues, by process: AskingProcess, for judge: Judge, to facts: inout ValueFacts
  ) async {
    let place = await place(of: process, from: judge.subject.folder)
    facts.isElsewhere = place != .here && asked.dialect != .codex
    facts.proxied = proxied(asked.lines, by: process)
    guard asked.onceReason == nil, asked.dialect != .deno else { return }
    let conditions = conditions(for: process, judge)
    if asked.dialect == .codex {
      await addFacts(aboutPlaceless: asked.lines, conditions, to: &facts)
    } else if place != .elsewhere, let conditions {
      let outcome = await conditions.forms(of: asked.lines, for: judge.subject)
      (facts.forms, facts.formsReason) = (outcome.forms, outcome.reason)
      guard place == .here else {
        // Any other form is about the files of the very folder for which it was allowed.
        facts.forms = outcome.forms.filter { CommandForm(named: $0)?.onlyLooks == true }
        return
      }
      facts.writer = writer(besides: asked.lines, for: judge.subject)
      facts.words = await words(of: asked.lines, by: process, conditions, for: judge)
    }
  }

  /// Returns the names of this machine that a proxy gets to see, if a line could connect to them. If the environment cannot
  /// be read, it could get to see all of them.
  private func proxied(_ lines: [String], by process: AskingProcess) -> Set<String>? {
    guard lines.contains(where: { $0.contains("curl") }) else { return nil }
    guard let environments = process.environments() else { return ProgramTable.here }
    let proxied = FormVariables(environments: environments, isAgent: false).proxied
    return proxied.isEmpty ? nil : proxied
  }

  /// Returns the name of a program that may write in an agent's folder, if lines run what the files there say.
  private func writer(besides lines: [String], for subject: Subject) -> String? {
    guard let store, lines.contains(where: { PossibleLine($0).runsFolder }) else { return nil }
    return store.writer(in: subject.folder)
  }

  /// Returns the facts about the words of an agent's lines. Lines with holes are kept for a folder, so there are none for
  /// other programs.
  private func words(
    of lines: [String], by process: AskingProcess, _ conditions: FormConditions, for judge: Judge
  ) async -> WordFacts? {
    guard judge.subject.folder != nil else { return nil }
    let looking = WordLookup(resolver: resolver, asker: process.identity)
    let hasFolders = conditions.environment.variables["CDPATH"] == nil
    guard var facts = await looking.facts(about: lines, hasFolders: hasFolders) else { return nil }
    for file in facts.files where await !conditions.mayRead(Array(file.utf8)) { facts.files.remove(file) }
    return facts
  }

  /// Adds what is known about lines if it is not known in which folder they run.
  private func addFacts(
    aboutPlaceless lines: [String], _ conditions: FormConditions?, to facts: inout ValueFacts
  ) async {
    let placeless = lines.compactMap(PlacelessLine.init)
    guard let conditions, placeless.count == lines.count,
      await conditions.areProtected(Set(placeless.flatMap(\.programs)))
    else {
      facts.onceReason = AllowLimit.unknownFolder
      return
    }
    facts.forms = await conditions.forms(of: placeless.flatMap(\.formLines)).forms
  }

  private enum Place { case here, below, elsewhere }

  /// The greatest number of folders that are searched for the agent's.
  private static let mostFolders = 64

  /// Returns how the folder in which a process works lies to the one to which the decisions about its program apply.
  private func place(of process: AskingProcess, from folder: ProgramFolder?) async -> Place {
    guard let folder else { return .here }
    let found = try? await resolver.look {
      var path = process.pathOfFolder
      for depth in 0..<Self.mostFolders {
        guard let status = FileStatus(path) else { break }
        if status.device == folder.device, status.inode == folder.inode {
          return depth == 0 ? Place.here : .below
        }
        path += "/.."
      }
      return .elsewhere
    }
    return found ?? .elsewhere
  }

  private func conditions(for process: AskingProcess, _ judge: Judge) -> FormConditions? {
    guard let store, let environments = process.environments() else { return nil }
    let files = judge.judge(of: Capability.Files.definition)
    let variables = FormVariables(environments: environments, isAgent: judge.subject.folder != nil)
    return FormConditions(
      values: resolver(for: files), asker: process.identity, environment: variables
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
