import ArgumentParser
import Machine
import PermBroker
import PermModel

struct RequestCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Ask for a capability for the program that runs this, and wait for the answer.",
    discussion: """
      The exit status is 0 if the request is allowed, 1 if it is denied, 3 if nobody answered, and 4 if this machine \
      does not have the capability. If there is a decision already, the answer comes at once, without a person or a \
      dashboard.

      If a dashboard is open, the question appears there, and the answer can be kept. Otherwise it appears on the \
      program's own terminal, if the program is in the foreground there and its standard input and standard error \
      are that terminal. If a dashboard opens meanwhile, the question moves there. An answer on the terminal is for \
      this one request; to keep one, use 'permtui allow'. In all other cases, and with --queue or PERMTUI_TTY=never, \
      the request waits for a dashboard or for 'permtui answer'. A request in the background is never stopped.

      Examples:
        permtui request photos --as backup && rsync -a ~/Pictures nas:
        permtui request deploy:production --reason "release $TAG" --wait 300
        permtui request calendar:reminders --json
      """)

  @Argument(
    help: "A capability, or some of its parts, such as calendar:reminders.",
    completion: .custom(Completion.capabilities))
  var capability: String

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The program's name for itself; the name of its file unless given.", valueName: "label"))
  var label: String?

  @Option(help: ArgumentHelp("The reason, for the person to read.", valueName: "text"))
  var reason: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "A suggestion for how long the answer should hold. The person decides.", valueName: "lifetime"),
    completion: .list(LifetimeArgument.words), transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice?

  @Option(
    help: ArgumentHelp(
      "How long to wait for an answer: without limit if it can be asked on the program's own terminal, else 60.",
      valueName: "seconds"))
  var wait: Int?

  @Flag(help: "Never ask on the program's own terminal; the same as PERMTUI_TTY=never.")
  var queue = false

  @Flag(help: "Print the answer as a JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if let wait, wait < 0 { throw ValidationError("--wait must not be negative") }
    if let wait, .seconds(wait) > LifetimeChoice.longest {
      throw ValidationError(
        "--wait cannot be more than 100 years; without it there is no limit where the program's own terminal is asked"
      )
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
    let isForbidden = try OwnTerminal.isForbidden(by: context.environment[OwnTerminal.variable])
    let terminal = OwnTerminal(
      isForbidden: queue || isForbidden, capability: capability, console: context.console)
    let patience = wait.map { Duration.seconds($0) } ?? terminal.place.patience
    let request = try request(for: reference, patience, in: context)
    guard let asked = context.catalogue[reference.capability]?.capability(asking: reference.atoms) else {
      throw CommandError.usage("there is no capability \(reference.capability)")
    }
    let end = try ask(Asking(request, capability: asked), terminal, in: context)
    return try report(end, id: request.id.text, in: context)
  }

  /// Creates a request in the name of the program that runs this command.
  private func request(
    for reference: CapabilityReference, _ patience: Duration?, in context: CommandContext
  ) throws -> Request {
    guard let seen = ProgramFinder(processes: LinuxProcessTable()).program(behind: ProcessHandle.own) else {
      throw CommandError("cannot read /proc, so it cannot be told which program asks")
    }
    let now = context.now
    return Request(
      id: Request.ID(RandomID.make()), subject: seen.subject(label: label),
      capability: reference.capability, atoms: reference.atoms, reason: reason, suggestedLifetime: lifetime,
      askedAt: now, givesUpAt: patience.map { now + $0 }, evidence: seen.evidence)
  }

  private enum Outcome {
    case ended(RequestEnd)
    case signalled(Int32)
  }

  /// Makes the request and waits for its end. If a signal ends the process, the request is withdrawn first.
  private func ask(
    _ asking: Asking, _ terminal: OwnTerminal, in context: CommandContext
  ) throws -> RequestEnd {
    let place = try context.brokerPlace()
    let open: @Sendable () throws -> any PermissionStore = { try context.store(.ask) }
    let store = StoreWithoutBroker(
      environment: context.world, probes: context.probes, policy: context.readPolicy().policy,
      origin: .commandLineAlone, make: place.isElsewhere ? nil : open)
    // The store is never closed. Closing it would copy its log into its file, which would delay the answer.
    _ = Unmanaged.passRetained(store)
    let desk = BrokerDesk(addresses: place.addresses, store: store, terminal: terminal)
    do {
      let outcome = try AsyncBridge.wait {
        let outcome = try await first(
          of: { Outcome.ended(try await desk.end(of: asking)) },
          { await terminal.endingSignal().map(Outcome.signalled) })
        if case .ended(let end)? = outcome { await terminal.takeOff(after: end) }
        return outcome
      }
      switch outcome {
      case .ended(let end)?: return end
      case .signalled(let number)?: Signals.end(by: number)
      case nil: return .dismissed
      }
    } catch BrokerSocketError.nobodyListens {
      throw CommandError("nobody listens at \(place.addresses[0].folder)", status: .noAnswer)
    }
  }

  private func report(
    _ end: RequestEnd, id: String, in context: CommandContext
  ) throws -> ExitStatus {
    let (word, explanation) = end.report
    if json {
      try context.console.print(
        ["answer": .text(word), "explanation": JSON(explanation), "id": .text(id)] as JSON)
    } else {
      try context.console.print(word)
      if let explanation { context.console.note("permtui: \(context.console.visible(explanation))") }
    }
    return end.exitStatus
  }
}

extension RequestEnd {
  fileprivate var report: (word: String, explanation: String?) {
    switch self {
    case .answered(let answer): answer.verdict == .allow ? ("allowed", nil) : ("denied", answer.reason)
    case .dismissed: ("no answer", "the request was dismissed")
    case .nobodyThere: ("no answer", "there was nobody to ask")
    case .timedOut: ("no answer", "nobody answered in time")
    case .withdrawn: ("no answer", "the program has changed since it asked")
    case .unavailable(let reason): ("not available", reason)
    }
  }
}
