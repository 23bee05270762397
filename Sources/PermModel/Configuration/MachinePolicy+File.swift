import Machine

extension MachinePolicy {
  /// Reads the policy file. The file is ignored if anybody but root can write to it.
  ///
  /// - Parameters:
  ///   - catalogue: The capabilities that the file can name.
  ///   - owner: The user who must own the file: root, except in tests. The folders on the file's path must belong to
  ///     this user or to root.
  /// - Returns: The restrictions and the mistakes in the file. If the file is missing, nothing is forbidden.
  package static func read(
    _ environment: ProbeEnvironment, in catalogue: CapabilityCatalogue = .builtIn, owner: UInt32 = 0
  ) -> (policy: MachinePolicy, problems: [ConfigurationProblem]) {
    let file = environment.policyFile
    let files = FileSystem()
    guard let status = FileStatus(file, followingLinks: false) else { return (.none, []) }
    guard FileStatus(file)?.kind == .file else {
      let what = status.kind == .link ? "is a link that does not lead to a file" : "is not a file"
      return (.none, [ConfigurationProblem(file: file, message: "\(what), so nothing is forbidden")])
    }
    if let reason = untrusted(file, owner) {
      return (.none, [ConfigurationProblem(file: file, message: "is ignored: \(reason)")])
    }
    guard let text = files.text(of: file) else {
      let message = "cannot be read; it should be readable by all: chmod 644 \(file)"
      return (.none, [ConfigurationProblem(file: file, message: message)])
    }
    return parse(text, file: file, in: catalogue, home: environment.home)
  }

  /// Reads `[[restrict]]` tables. Each table names a `capability`. Without `parts`, the restriction applies
  /// to all parts of the capability; without `values`, to all values; without `programs`, to all programs.
  ///
  /// As long as there is a mistake in `parts`, all parts are forbidden. The same holds for `values` and `programs`. Thus,
  /// a mistake never causes less to be forbidden than was intended.
  ///
  /// - Parameter home: The home folder of the user for whom the file is read, for paths that begin with `~/`.
  package static func parse(
    _ text: String, file: String, in catalogue: CapabilityCatalogue = .builtIn, home: String = "/"
  ) -> (policy: MachinePolicy, problems: [ConfigurationProblem]) {
    let (values, mistakes) = ConfigurationReader.read(text, file: file)
    var root = ConfigurationTable(file: file, values: values)
    root.report(mistakes)
    var restrictions: [Restriction] = []
    for var table in root.tables("restrict") ?? [] {
      if let restriction = restriction(&table, catalogue, home) { restrictions.append(restriction) }
      root.report(table.problems)
    }
    root.reportUnknownKeys()
    return (MachinePolicy(restrictions), root.problems)
  }

  private static func restriction(
    _ table: inout ConfigurationTable, _ catalogue: CapabilityCatalogue, _ home: String
  ) -> Restriction? {
    let capability = table.text("capability")
    let parts = table.texts("parts")
    let values = table.texts("values")
    let programs = table.texts("programs")
    table.reportUnknownKeys()
    guard let capability else {
      if table.values["capability"] == nil { table.report("capability", "is missing: name the capability") }
      return nil
    }
    check(capability, parts, catalogue, &table)
    var forbidden = parts.map { Set($0) }
    if let definition = catalogue[capability]?.definition, let values {
      forbidden = PolicyValues(values, of: parts, definition, home).texts(&table) ?? forbidden
    }
    return Restriction(capability: capability, parts: forbidden, programs: checked(programs, &table))
  }

  /// Reports a capability name that is probably misspelt, and parts that the capability does not have. Other unknown
  /// names are not reported, because they might belong to capabilities that only some users have defined.
  private static func check(
    _ name: String, _ parts: [String]?, _ catalogue: CapabilityCatalogue, _ table: inout ConfigurationTable
  ) {
    guard let definition = catalogue[name]?.definition else {
      guard let meant = name.nearest(in: catalogue.capabilities.map(\.definition.name)) else { return }
      return table.report(
        "capability",
        "there is no capability \"\(name)\"; did you mean \"\(meant)\"? Until this is corrected, it forbids nothing"
      )
    }
    guard let parts else { return }
    let consequence = "until this is corrected, all of \(name) is forbidden"
    if parts.isEmpty {
      table.report("parts", "names no part; leave it out to forbid all of \(name); \(consequence)")
    }
    for part in parts where definition.restrictedAtom(part) == nil {
      let known = definition.parts.map(\.name)
      let hint =
        part.nearest(in: known).map { "did you mean \"\($0)\"?" }
        ?? "it has \(known.joined(separator: ", "));"
      table.report("parts", "\"\(part)\" is not a part of \(name); \(hint) \(consequence)")
    }
  }

  /// Returns the programs that an entry names. If the entry names no program, or contains anything but
  /// absolute paths, returns `nil`, which means all programs.
  private static func checked(_ programs: [String]?, _ table: inout ConfigurationTable) -> Set<String>? {
    guard let programs else { return nil }
    let consequence = "until this is corrected, the entry holds for all programs"
    if programs.isEmpty { table.report("programs", "names no program; leave it out for all; \(consequence)") }
    let wrong = programs.filter { !$0.hasPrefix("/") }
    for program in wrong {
      table.report("programs", "\"\(program)\" must be the path of a file, from /; \(consequence)")
    }
    return programs.isEmpty || !wrong.isEmpty ? nil : Set(programs)
  }

  /// Returns the reason why somebody other than the owner could have written the file; `nil` if nobody else could.
  private static func untrusted(_ file: String, _ owner: UInt32) -> String? {
    // The file can be a symbolic link. Therefore, both the path to the link and the path to its target are checked.
    for path in Set([file, Paths.resolved(file) ?? file]).sorted() {
      for place in sequence(first: path, next: { $0.folderOfPath == $0 ? nil : $0.folderOfPath }) {
        if let reason = untrustedEntry(place, owner, isFile: place == path) { return reason }
      }
    }
    return nil
  }

  private static func untrustedEntry(_ path: String, _ owner: UInt32, isFile: Bool) -> String? {
    guard let entry = FileSystem().entry(at: path) else { return "\(path) cannot be looked at" }
    // Root is always allowed to own the folders on the path, even if another owner is expected.
    guard entry.owner == owner || entry.owner == 0 && !isFile else {
      return "\(path) belongs to user \(entry.owner), not \(owner); make root own it: chown root \(path)"
    }
    // In a folder with the sticky bit, others cannot replace files that they do not own, so it may be writable.
    let isSticky = !isFile && entry.mode & 0o1000 != 0
    guard entry.mode & 0o022 == 0 || isSticky else {
      return "\(path) can be written by others; chmod go-w \(path)"
    }
    return nil
  }
}
