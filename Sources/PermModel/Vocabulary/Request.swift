/// A program's request for some atoms of one capability. Immutable; answered by its id.
package struct Request: Hashable, Sendable, Codable, Identifiable {
  /// The id of a request. Random and never reused, so that an answer names exactly the request that was shown.
  package struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
    package var text: String
    package init(_ text: String) { self.text = text }
    package var description: String { text }
  }

  package let id: ID
  package let subject: Subject
  package let capability: String
  package let atoms: Set<Atom>
  /// The program's stated reason: foreign text, shown in a quoted field only.
  package let reason: String?
  /// How long the program would like an answer to hold. It is shown, and has no effect.
  package let suggestedLifetime: LifetimeChoice?
  package let askedAt: Timestamp
  /// When the program stops waiting; `nil` if it waits indefinitely.
  package let givesUpAt: Timestamp?
  /// The evidence about the program that asks; `nil` if the asking code runs in this process.
  package let evidence: Evidence?

  package init(
    id: ID, subject: Subject, capability: String, atoms: Set<Atom>, reason: String? = nil,
    suggestedLifetime: LifetimeChoice? = nil, askedAt: Timestamp, givesUpAt: Timestamp? = nil,
    evidence: Evidence? = nil
  ) {
    self.id = id
    self.subject = subject
    self.capability = capability
    self.atoms = atoms
    self.reason = reason
    self.suggestedLifetime = suggestedLifetime
    self.askedAt = askedAt
    self.givesUpAt = givesUpAt
    self.evidence = evidence
  }
}

/// The broker's observations about a process that asks. Evidence, not proof.
package struct Evidence: Hashable, Sendable {
  package var process: ProcessIdentity
  /// The file that counts as the program: the script if an interpreter runs one, else the executable.
  package var program: String
  /// The interpreter that runs a script, for example `bash`.
  package var interpreter: String?
  /// The names of the ancestors, outermost first, ending with the program itself.
  package var chain: [String]
  /// The controlling terminal, for example `pts/3`.
  package var terminal: String?
  package var workingDirectory: String?
  /// Whether it runs in a mount namespace other than ours.
  package var isSandboxed: Bool
  /// The reason the program cannot be determined, in words; `nil` if it can. An answer to such a request is kept for
  /// the process at most.
  package var doubt: String?
  /// Whether not even the process could be read. Such a request can only be answered `once`.
  package var isUnreadable: Bool

  package init(
    process: ProcessIdentity, program: String, interpreter: String? = nil, chain: [String] = [],
    terminal: String? = nil, workingDirectory: String? = nil, isSandboxed: Bool = false, doubt: String? = nil,
    isUnreadable: Bool = false
  ) {
    self.process = process
    self.program = program
    self.interpreter = interpreter
    self.chain = chain
    self.terminal = terminal
    self.workingDirectory = workingDirectory
    self.isSandboxed = isSandboxed
    self.doubt = doubt
    self.isUnreadable = isUnreadable
  }
}

extension Evidence: Codable {
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let doubt = try values.decodeIfPresent(String.self, forKey: .doubt)
    self.init(
      process: try values.decode(ProcessIdentity.self, forKey: .process),
      program: try values.decode(String.self, forKey: .program),
      interpreter: try values.decodeIfPresent(String.self, forKey: .interpreter),
      chain: try values.decode([String].self, forKey: .chain),
      terminal: try values.decodeIfPresent(String.self, forKey: .terminal),
      workingDirectory: try values.decodeIfPresent(String.self, forKey: .workingDirectory),
      isSandboxed: try values.decode(Bool.self, forKey: .isSandboxed), doubt: doubt,
      // Earlier versions did not distinguish one doubt from another.
      isUnreadable: try values.decodeIfPresent(Bool.self, forKey: .isUnreadable) ?? (doubt != nil))
  }
}
