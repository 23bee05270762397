import Glibc
import PermBroker
import PermModel

/// What `permtui request` asks, in the forms that broker, store and terminal take it in.
struct AskedQuestion: Sendable {
  var question: BrokerQuestion
  let reference: CapabilityReference

  /// The request as the store keeps it, for the program that runs this command.
  func request(deadline: ContinuousClock.Instant?, _ context: CommandContext) throws -> Request {
    guard let seen = ProgramFinder(processes: LinuxProcessTable()).program(behind: getpid()) else {
      throw CommandError("cannot read /proc, so it cannot be told which program asks")
    }
    let now = context.now
    return Request(
      id: Request.ID(question.id), subject: seen.subject(label: question.label),
      capability: reference.capability, atoms: reference.atoms, reason: question.reason,
      suggestedLifetime: question.suggestedLifetime, askedAt: now,
      givesUpAt: deadline.map { now + max(.zero, ContinuousClock.now.duration(to: $0)) },
      evidence: seen.evidence)
  }

  /// How the request ended in a store; `nil` if it did not.
  func end(in store: any PermissionStore, _ context: CommandContext) throws -> RequestEnd? {
    for entry in try store.journal(JournalFilter(request: Request.ID(question.id)), .newest(10)) {
      if let end = RequestEnd(entry) { return try self.end(end, of: entry.subject, in: store, context) }
    }
    return nil
  }

  /// An end that was read from a store. An allow of less than was asked for is a denial.
  func end(
    _ end: RequestEnd, of subject: Subject?, in store: any PermissionStore, _ context: CommandContext
  ) throws -> RequestEnd {
    guard var answer = end.answer, answer.verdict == .allow, let subject,
      let definition = context.catalogue[reference.capability]?.definition
    else { return end }
    let standing = try store.standing(of: subject, capability: reference.capability)
    let decided = DecidedAtoms(
      definition, standing: standing, restricted: context.policy().restricted(for: subject, definition))
    if decided.answering(answer).allows(reference.atoms) { return end }
    answer.verdict = .deny
    answer.reason = "not all that was asked for is allowed"
    return .answered(answer)
  }

  /// The question for the program's own terminal: yes or no, once, and nothing is kept.
  func alert(_ place: BrokerPlace, _ context: CommandContext) throws -> Alert {
    let request = try request(deadline: nil, context)
    guard let definition = context.catalogue[reference.capability]?.definition else {
      throw CommandError.usage("there is no capability \(reference.capability)")
    }
    var content = RequestAlert(
      request: request, title: definition.title, action: definition.action(for: reference.atoms),
      explanation: definition.explanation(for: reference.atoms),
      severity: definition.severity(of: reference.atoms),
      choices: [RequirementChoice(atoms: reference.atoms, title: definition.title(for: reference.atoms))],
      identity: request.evidence?.doubt == nil ? .firstTime : .fileless, lifetimes: [LifetimeOffer(.once)])
    if !place.isElsewhere {
      let store = try context.store(.read)
      content.history = try store.history(of: request.subject, capability: request.capability)
      content.identity = try IdentityCheck(of: request, in: store)
    }
    let label = request.subject.label
    if !content.identity.isSuspicious(label: label) { content.keepCommand = keepCommand(label) }
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }

  /// What a person types to keep an answer, as the shell reads it: label and capability come from the program.
  private func keepCommand(_ label: String) -> String {
    (["permtui", "allow"] + [label, question.capability].map { $0.shellQuoted }).joined(separator: " ")
  }
}

extension String {
  /// One word of a shell's command line, whatever is in it.
  var shellQuoted: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./@:,=+".utf8.contains(byte)
      }
    return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
