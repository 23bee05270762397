import ArgumentParser
import Glibc
import PermBroker
import PermModel

struct RequestCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Ask for a capability in the name of the program that runs this, and wait for the answer.",
    discussion: """
      Ends with 0 if it is allowed, 1 if it is denied, 3 if nobody answered, 4 if this machine does not have it. A known \
      answer comes at once. Where no dashboard is open, the question comes up on the program's own terminal; without \
      one it waits for 'permtui' or 'permtui answer'.

      Examples:
        permtui request photos --as backup && rsync -a ~/Pictures nas:
        permtui request deploy:production --reason "release $TAG" --wait 300
        permtui request calendar:reminders --json
      """)

  @Argument(
    help: "A capability, with parts if wanted, as in calendar:reminders.",
    completion: .custom(Completion.capabilities))
  var capability: String

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "What the program calls itself: the name of its file unless given.", valueName: "label"))
  var label: String?

  @Option(help: ArgumentHelp("Why, for the person to read.", valueName: "text"))
  var reason: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long you would like the answer to hold. The person sees it, and chooses.", valueName: "lifetime"),
    completion: .list(LifetimeArgument.words), transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice?

  @Option(
    help: ArgumentHelp(
      "How long to wait for an answer: without limit on a terminal, else 60.", valueName: "seconds"))
  var wait: Int?

  @Flag(help: "Print the answer as a JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if let wait, wait < 0 { throw ValidationError("--wait cannot be less than nothing") }
    if let wait, .seconds(wait) > LifetimeChoice.longest {
      throw ValidationError(
        "--wait cannot be more than 100 years; without it there is no limit on a terminal")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let reference = try context.catalogue.parse(capability)
    try lifetime?.checkAhead(now: context.now)
    do throws(ForeignTextError) {
      if let label { try ForeignText.check(name: label) }
      if let reason { try ForeignText.check(reason: reason) }
    } catch {
      throw CommandError.usage("\(error)")
    }
    let question = BrokerQuestion(
      id: StoreEnvironment.randomID(), capability: capability, label: label, reason: reason,
      suggestedLifetime: lifetime)
    let terminal = OwnTerminal.isThere
    let patience = wait.map { Duration.seconds($0) } ?? (terminal ? nil : .seconds(60))
    let request = RequestWait(
      asked: AskedQuestion(question: question, reference: reference), place: try context.brokerPlace(),
      deadline: patience.map { .now + $0 }, hasTerminal: terminal, context: context)
    return try report(try request.outcome(), id: question.id, in: context)
  }

  private func report(
    _ outcome: RequestProgress, id: String, in context: CommandContext
  ) throws -> ExitStatus {
    let (word, explanation, status) = outcome.report
    if json {
      try context.console.print(
        ["answer": .text(word), "explanation": JSON(explanation), "id": .text(id)] as JSON)
    } else {
      try context.console.print(word)
      if let explanation { context.console.note("permtui: \(context.console.visible(explanation))") }
    }
    return status
  }
}

extension RequestProgress {
  /// The word that is printed, what there is to say beside it, and the exit status.
  fileprivate var report: (word: String, explanation: String?, status: ExitStatus) {
    switch self {
    case .allowed: ("allowed", nil, .done)
    case .denied(let explanation): ("denied", explanation, .denied)
    case .dismissed, .waiting: ("no answer", "the request was dismissed", .noAnswer)
    case .timedOut: ("no answer", "nobody answered in time", .noAnswer)
    case .withdrawn: ("no answer", "the program is not the one any more that asked", .noAnswer)
    case .unavailable(let explanation): ("not available", explanation, .unavailable)
    }
  }
}
