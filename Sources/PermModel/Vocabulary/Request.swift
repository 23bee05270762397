import Machine

/// A program's request for some atoms of one capability. A request never changes. Answers refer to requests by id.
public struct Request: Hashable, Sendable, Identifiable {
  /// The id of a request. Ids are random and never reused, so that an answer always refers to the request
  /// that was shown.
  public struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
    package var text: String
    package init(_ text: String) { self.text = text }
    public var description: String { text }
  }

  /// The content, which has dozens of references. All copies of the request share it.
  @CopyOnWrite private var content: Content

  fileprivate struct Content: Hashable, Sendable, Encodable {
    let id: ID
    var subject: Subject
    let capability: String
    var atoms: Set<Atom>
    let reason: String?
    let suggestedLifetime: LifetimeChoice?
    var askedAt: Timestamp
    var givesUpAt: Timestamp?
    var evidence: Evidence?
    let details: ShownDetails?
    var facts: ValueFacts
  }

  package init(
    id: ID, subject: Subject, capability: String, atoms: Set<Atom>, reason: String? = nil,
    suggestedLifetime: LifetimeChoice? = nil, askedAt: Timestamp, givesUpAt: Timestamp? = nil,
    evidence: Evidence? = nil, details: ShownDetails? = nil, facts: ValueFacts = ValueFacts()
  ) {
    content = Content(
      id: id, subject: subject, capability: capability, atoms: atoms, reason: reason,
      suggestedLifetime: suggestedLifetime, askedAt: askedAt, givesUpAt: givesUpAt, evidence: evidence,
      details: details, facts: facts)
  }

  public var id: ID { content.id }
  public var subject: Subject { content.subject }
  public var capability: String { content.capability }
  public var atoms: Set<Atom> { content.atoms }
  /// The reason that the program states. It is untrusted text from another program, and is therefore only
  /// shown in quotes.
  public var reason: String? { content.reason }
  /// Text that the alert shows and that a decision never covers.
  package var details: ShownDetails? { content.details }
  /// The known facts about the values that are asked for.
  package var facts: ValueFacts { content.facts }
  /// The lifetime that the program suggests for the answer. It is shown to the person, but has no other effect.
  public var suggestedLifetime: LifetimeChoice? { content.suggestedLifetime }
  public var askedAt: Timestamp { content.askedAt }
  /// The time at which the program stops waiting; `nil` if it waits indefinitely.
  public var givesUpAt: Timestamp? { content.givesUpAt }
  /// The evidence about the program that asks; `nil` if the asking code runs in this process.
  package var evidence: Evidence? { content.evidence }
}

extension Request: Codable {
  public init(from decoder: any Decoder) throws { content = try Content(from: decoder) }
  public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension Request.Content: Decodable {
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try fields.decode(Request.ID.self, forKey: .id),
      subject: try fields.decode(Subject.self, forKey: .subject),
      capability: try fields.decode(String.self, forKey: .capability),
      atoms: try fields.decode(Set<Atom>.self, forKey: .atoms),
      reason: try fields.decodeIfPresent(String.self, forKey: .reason),
      suggestedLifetime: try fields.decodeIfPresent(LifetimeChoice.self, forKey: .suggestedLifetime),
      askedAt: try fields.decode(Timestamp.self, forKey: .askedAt),
      givesUpAt: try fields.decodeIfPresent(Timestamp.self, forKey: .givesUpAt),
      evidence: try fields.decodeIfPresent(Evidence.self, forKey: .evidence),
      // Earlier versions stored neither details nor facts.
      details: try fields.decodeIfPresent(ShownDetails.self, forKey: .details),
      facts: try fields.decodeIfPresent(ValueFacts.self, forKey: .facts) ?? ValueFacts())
  }
}

extension Request {
  /// Whether the same program asks for the same capability.
  func isOfSameProgram(as other: Request) -> Bool {
    content.capability == other.content.capability && content.subject == other.content.subject
  }

  /// Returns the same request with what its values mean now.
  package func asking(_ atoms: Set<Atom>, _ facts: ValueFacts) -> Request {
    changed { ($0.atoms, $0.facts) = (atoms, facts) }
  }

  /// Returns the same request, made by an agent in a folder.
  package func inFolder(_ folder: ProgramFolder) -> Request { changed { $0.subject.folder = folder } }

  /// Returns the same request as a clock tells its times that is behind by `skew`.
  package func onClock(behindBy skew: Duration) -> Request {
    let earlier = Duration.zero - skew
    return changed { content in
      content.askedAt = content.askedAt + earlier
      content.givesUpAt = content.givesUpAt.map { $0 + earlier }
    }
  }

  /// Returns the same request with other evidence about the program.
  package func with(_ evidence: Evidence) -> Request { changed { $0.evidence = evidence } }

  private func changed(_ change: (inout Content) -> Void) -> Request {
    var request = self
    change(&request.content)
    return request
  }
}

/// The broker's observations about a process that asks. They suggest which program asks, but do not prove it.
package struct Evidence: Hashable, Sendable {
  package var process: ProcessIdentity
  /// The path of the file that is regarded as the program: the script if an interpreter runs one, otherwise
  /// the executable.
  package var program: String
  /// The interpreter that runs a script, for example `bash`.
  package var interpreter: String?
  /// The names of the program's ancestors, outermost first, followed by the name of the program itself.
  package var chain: [String]
  /// The controlling terminal, for example `pts/3`.
  package var terminal: String?
  package var workingDirectory: String?
  /// Whether the process runs in a mount namespace other than the broker's.
  package var isSandboxed: Bool
  /// The reason why the program cannot be determined, in words; `nil` if it can be determined. Otherwise, an
  /// answer is kept only while the process lives.
  package var doubt: String?
  /// Whether even the process itself could not be examined. The only lifetime that an answer to such a
  /// request can have is `once`.
  package var isUnreadable: Bool
  /// The process that asks, if it is behind walls. ``process`` is then the first one of its run.
  package var walled: WalledProcess?

  package init(
    process: ProcessIdentity, program: String, interpreter: String? = nil, chain: [String] = [],
    terminal: String? = nil, workingDirectory: String? = nil, isSandboxed: Bool = false, doubt: String? = nil,
    isUnreadable: Bool = false, walled: WalledProcess? = nil
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
    self.walled = walled
  }
}

/// A process behind walls, as the warden of its run saw it. The broker itself never looks at it.
package struct WalledProcess: Hashable, Sendable {
  /// The name that the process has at the moment. It can choose any.
  package var name: String
  package var process: ProcessIdentity
  /// Whether its run has reached a socket of the host, through which it can do things outside of its walls.
  package var hasLeft: Bool
  /// Whether its run uses a folder as it is outside, where nothing is asked.
  package var hasNativeFolder: Bool

  package init(name: String, process: ProcessIdentity, hasLeft: Bool = false, hasNativeFolder: Bool = false) {
    (self.name, self.process) = (name, process)
    (self.hasLeft, self.hasNativeFolder) = (hasLeft, hasNativeFolder)
  }
}

extension WalledProcess: Codable {
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try values.decode(String.self, forKey: .name),
      process: try values.decode(ProcessIdentity.self, forKey: .process),
      hasLeft: try values.decodeIfPresent(Bool.self, forKey: .hasLeft) ?? false,
      hasNativeFolder: try values.decodeIfPresent(Bool.self, forKey: .hasNativeFolder) ?? false)
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
      // Earlier versions did not store `isUnreadable`. To be safe, every doubt in their data is taken to mean
      // that the process was unreadable.
      isUnreadable: try values.decodeIfPresent(Bool.self, forKey: .isUnreadable) ?? (doubt != nil),
      walled: try values.decodeIfPresent(WalledProcess.self, forKey: .walled))
  }
}
