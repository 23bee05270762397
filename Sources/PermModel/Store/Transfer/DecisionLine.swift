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

  /// The decision that this line describes.
  ///
  /// - Throws: `DecodingError` if a property has a value that no real decision can have.
  var decision: Decision {
    get throws {
      try checkProgram()
      try checkText(note, .note)
      for (moment, key) in [(decidedAt, CodingKeys.decidedAt), (lastUsed ?? 0, .lastUsed)] {
        try check(Self.moments.contains(moment), key, "is not a moment of the years 1 to 9999")
      }
      return Decision(
        subject: try checkedSubject(), atom: try checkedAtom(), verdict: verdict,
        lifetime: try checkedLifetime(),
        origin: try checkedOrigin(), note: note, decidedAt: Timestamp(microseconds: decidedAt),
        lastUsed: lastUsed.map { Timestamp(microseconds: $0) })
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

  /// Returns the atom. In format 1, a container was part of the name, as in `read@nas`.
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
    if case .name(let name) = found.scope { try checkName(name, .atom) }
    if let scope { found.scope = scope }
    return found
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
