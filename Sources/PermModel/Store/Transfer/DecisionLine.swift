/// One exported decision. The names of the properties are part of the file format.
struct DecisionLine: Codable {
  var program: String
  var path: String?
  var file: FileIdentity?
  var fileless: String?
  var sandboxed: Bool?
  var sandbox: String?
  var folder: String?
  var capability: String
  var atom: String
  var scope: Scope?
  var verdict: Verdict
  var lifetime: String
  var origin: String
  var note: String?
  var decidedAt: Int64
  var lastUsed: Int64?

  init(_ decision: Decision) {
    program = decision.subject.label
    path = decision.subject.path
    file = decision.subject.file
    fileless = decision.subject.fileless?.description
    sandboxed = decision.subject.isSandboxed ? true : nil
    sandbox = decision.subject.sandbox?.description
    folder = decision.subject.folder?.description
    capability = decision.atom.capability
    atom = decision.atom.name
    scope = decision.atom.scope == .any ? nil : decision.atom.scope
    verdict = decision.verdict
    lifetime = decision.lifetime.description
    origin = decision.origin.description
    note = decision.note
    decidedAt = decision.decidedAt.microseconds
    lastUsed = decision.lastUsed?.microseconds
  }

  /// Returns the decision that this line describes.
  ///
  /// - Parameter definition: Returns the definition of the capability with a name; `nil` if there is none.
  /// - Throws: `DecodingError` if a property has a value that no real decision can have.
  func decision(_ definition: (String) -> CapabilityDefinition?) throws -> Decision {
    try checkProgram()
    try checkText(note, .note)
    for (moment, key) in [(decidedAt, CodingKeys.decidedAt), (lastUsed ?? 0, .lastUsed)] {
      try check(Self.moments.contains(moment), key, "is not a moment of the years 1 to 9999")
    }
    let decision = Decision(
      subject: try checkedSubject(), atom: try checkedAtom(), verdict: verdict,
      lifetime: try checkedLifetime(),
      origin: try checkedOrigin(), note: note, decidedAt: Timestamp(microseconds: decidedAt),
      lastUsed: lastUsed.map { Timestamp(microseconds: $0) })
    if let definition = definition(capability) { try checkKind(of: decision.atom, definition) }
    if verdict == .allow { try checkAllow(decision) }
    return decision
  }
}

// MARK: Decisions that nobody can make

extension DecisionLine {
  private func checkKind(of atom: Atom, _ definition: CapabilityDefinition) throws {
    guard let kind = atom.scope.kind, let part = definition.part(of: atom) else { return }
    let what = part.values.map { "takes a \($0), but this is a \(kind)" } ?? "takes no value"
    try check(part.values == kind, scope == nil ? .atom : .scope, "\(capability):\(part.name) \(what)")
  }

  /// Checks that what is allowed can be allowed for so long, as it is checked when somebody decides.
  private func checkAllow(_ decision: Decision) throws {
    let what = decision.atom.description
    let needsFolder = decision.atom.runsFolder && decision.subject.folder == nil
    try check(!needsFolder, .folder, "\(what) runs what the files in a folder say, but no folder is named")
    guard let limit = AllowLimit(on: decision.atom) else { return }
    try check(
      limit.longest != .once, .scope, "\(what) cannot be allowed beforehand, because \(limit.reason)")
    try check(
      !limit.forbids(decision.lifetime.choice), .lifetime,
      "\(what) can be allowed until you log out at most, because \(limit.reason)")
  }
}

extension Lifetime {
  fileprivate var choice: LifetimeChoice {
    switch self {
    case .process: .process
    case .session: .session
    case .until(let deadline): .until(deadline.wall)
    case .forever: .forever
    }
  }
}

// MARK: Limits of a line

extension DecisionLine {
  private static let moments: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000
  private static let longestPath = 4_096
  /// The maximum length of a note in bytes. A note of this length fits into one message to the broker.
  private static let longestNote = 65_536

  private func checkProgram() throws {
    if program == Subject.everyone.label, path == Subject.everyone.path {
      try check(verdict == .deny, .verdict, "everyone can be denied, but not allowed")
      return
    }
    try checkName(program, .program)
    if let path {
      let isPath =
        (path.hasPrefix("/") || Subject.isVouchedForm(path)) && path.utf8.count <= Self.longestPath
        && !path.utf8.contains(0)
      try check(isPath, .path, "is not a path of a file, from /")
    }
    try check(file == nil || path != nil, .file, "needs a path")
  }

  private func checkedSubject() throws -> Subject {
    let fileless = try fileless.map { text in
      guard let program = FilelessProgram(text) else { throw wrong(.fileless, "does not name a process") }
      return program
    }
    let sandbox = try sandbox.map { text in
      guard let sandbox = Sandbox(text) else { throw wrong(.sandbox, "is not a sandbox") }
      return sandbox
    }
    let folder = try folder.map { text in
      guard let folder = ProgramFolder(text) else { throw wrong(.folder, "does not name a folder") }
      return folder
    }
    return Subject(
      label: program, path: path, file: file, fileless: fileless,
      sandbox: sandboxed == true ? sandbox ?? .unknown : nil, folder: folder)
  }

  /// Returns the atom. In format 1, a container was part of the name, as in `read@nas`. As in a store that is migrated,
  /// all that follows is the name, even if it now has another meaning, as in `read@*`.
  private func checkedAtom() throws -> Atom {
    if capability == Atom.everything.capability {
      let isMute = atom == Atom.everything.name && verdict == .deny && scope == nil
      try check(isMute, .capability, "only a deny can be for everything")
      return .everything
    }
    var found = Atom(capability, written: atom)
    try check(UserCapability.isName(capability), .capability, "is not a capability's name")
    let isPart = UserCapability.isName(found.name.replacing("=", with: "-", maxReplacements: 1))
    try check(isPart && (scope == nil || found.scope == .any), .atom, "is not a part of a capability")
    if let scope { found.scope = scope }
    if case .name(let name) = found.scope { try checkValue(name) }
    return found
  }

  private func checkValue(_ name: String) throws {
    do throws(ScopeError) {
      _ = try Scope.checked(name, most: Scope.longestName)
    } catch {
      throw wrong(scope == nil ? .atom : .scope, "\(error)")
    }
  }

  private func checkedLifetime() throws -> Lifetime {
    guard let lifetime = Lifetime(lifetime) else { throw wrong(.lifetime, "is not a lifetime") }
    switch lifetime {
    case .forever: break
    case .session(let id): try checkName(id, .lifetime)
    case .process(let process): try check(process.pid > 0, .lifetime, "does not name a process")
    case .until(let deadline):
      let isMoment = Self.moments.contains(deadline.wall.microseconds) && deadline.bootTime >= 0
      try check(isMoment, .lifetime, "is not a moment of the years 1 to 9999")
      if !deadline.bootID.isEmpty { try checkName(deadline.bootID, .lifetime) }
    }
    return lifetime
  }

  private func checkedOrigin() throws -> Origin {
    guard let origin = Origin(origin) else { throw wrong(.origin, "is not an origin") }
    try checkName(self.origin, .origin)
    return origin
  }

  private func checkName(_ name: String, _ key: CodingKeys) throws {
    do throws(ForeignTextError) {
      try ForeignText.check(name: name)
    } catch {
      throw wrong(key, "\(error)")
    }
  }

  private func checkText(_ text: String?, _ key: CodingKeys) throws {
    guard let text else { return }
    try check(text.utf8.count <= Self.longestNote, key, "is longer than \(Self.longestNote) bytes")
    try check(!text.utf8.contains(0), key, "the character U+0000 is not allowed")
  }

  private func check(_ isRight: Bool, _ key: CodingKeys, _ what: String) throws {
    guard isRight else { throw wrong(key, what) }
  }

  private func wrong(_ key: CodingKeys, _ what: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [key], debugDescription: what))
  }
}
