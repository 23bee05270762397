import Glibc
import PermBroker
import PermModel

/// What `permtui request` asks, in the forms that broker, store and terminal take it in.
struct AskedQuestion: Sendable {
  var question: BrokerQuestion
  let reference: CapabilityReference

  /// Says once how an answer can be given.
  func sayHow(_ hasSaidHow: inout Bool, _ console: Console) {
    guard !hasSaidHow else { return }
    hasSaidHow = true
    console.note(
      "permtui: waiting for an answer about \(console.visible(question.capability)): open permtui, "
        + "or run permtui answer")
  }

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

  /// How the request ended in the store; `nil` if it did not, or if there is no store.
  func endInStore(_ place: BrokerPlace, _ context: CommandContext) throws -> RequestProgress? {
    guard !place.isElsewhere else { return nil }
    let filter = JournalFilter(request: Request.ID(question.id))
    return try context.store(.read).journal(filter, .newest(1)).first.flatMap { try progress($0, context) }
  }

  /// How the request ended as an entry of the journal tells; `nil` if it tells of something else. Less than was asked for
  /// is no yes.
  func progress(_ entry: JournalEntry, _ context: CommandContext) throws -> RequestProgress? {
    let progress = RequestProgress(entry)
    guard progress == .allowed, let subject = entry.subject,
      let definition = context.catalogue[reference.capability]?.definition
    else { return progress }
    let standing = try context.store(.read).standing(of: subject, capability: reference.capability)
    let decided = DecidedAtoms(
      definition, standing: standing, restricted: context.policy().restricted(for: subject, definition))
    let isAllowed = decided.answering(.allow, entry.atoms, at: entry.at).allows(reference.atoms)
    return isAllowed ? progress : .denied(explanation: "not all that was asked for is allowed")
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
      identity: request.evidence?.doubt == nil ? .firstTime : .unknown, lifetimes: [LifetimeOffer(.once)])
    if !place.isElsewhere {
      let store = try context.store(.read)
      content.history = try store.history(of: request.subject, capability: request.capability)
      content.identity = try IdentityCheck(of: request, in: store)
    }
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }
}
