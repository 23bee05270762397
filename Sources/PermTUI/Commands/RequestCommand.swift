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

      Several capabilities are asked for one after the other, except that all values of one capability are a single \
      request. The exit status is then the greatest of all of them, so it is 0 only if everything is allowed. A path \
      can begin with ~/ or ./; with a slash at the end, it means the folder and everything below it.

      If a dashboard is open, the question appears there, and the answer can be kept. Otherwise it appears on the \
      program's own terminal, if the program is in the foreground there and its standard input and standard error \
      are that terminal. If a dashboard opens meanwhile, the question moves there. An answer on the terminal is for \
      this one request; to keep one, use 'permtui allow'. In all other cases, and with --queue or PERMTUI_TTY=never, \
      the request waits for a dashboard or for 'permtui answer'. A request in the background is never stopped.

      Examples:
        permtui request photos --as backup && rsync -a ~/Pictures nas:
        permtui request deploy:production --reason "release $TAG" --wait 300
        permtui request calendar:reminders --json
        permtui request files:read@./data.csv network:connect@api.example.org:443 --as report
        git diff | permtui request files:write@./ --details -
      """)

  @Argument(
    help: ArgumentHelp(
      "Capabilities, or some of their parts, such as calendar:reminders or files:read@./data.csv.",
      valueName: "capability"),
    completion: .custom(Completion.capabilities))
  var capabilities: [String]

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The program's name for itself; the name of its file unless given.", valueName: "label"))
  var label: String?

  @Option(help: ArgumentHelp("The reason, for the person to read.", valueName: "text"))
  var reason: String?

  @Option(
    help: ArgumentHelp(
      """
      A file with text to show with the question, such as a change to a file; - for standard input. Of more than 8 KiB, \
      the first 100 lines are shown.
      """, valueName: "file"),
    completion: .file())
  var details: String?

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

  @Flag(
    help: "Ask as an agent does: what is decided holds only in the folder in which the program began.")
  var inFolder = false

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
    let typed = try TypedCapabilities(asked: capabilities, in: context)
    try checkTexts(in: context)
    let isForbidden = try queue || OwnTerminal.isForbidden(by: context.environment[OwnTerminal.variable])
    let shown = try details.flatMap { try ShownDetails(fileOrInput: $0) }
    let means = try Means(in: context)
    var reports: [Report] = []
    for reference in typed.references {
      let terminal = OwnTerminal(
        isForbidden: isForbidden, capabilities: context.catalogue.texts(reference), console: context.console)
      let patience = wait.map { Duration.seconds($0) } ?? terminal.place.patience
      let request = try request(for: reference, patience, shown, in: context)
      let end = try ask(try asking(request, in: context), means, terminal)
      let report = Report(request: request, end: end, texts: context.catalogue.texts(reference))
      if !json { try print(report, isOnly: typed.references.count == 1, to: context.console) }
      reports.append(report)
    }
    if json { try context.console.print(reports.count == 1 ? reports[0].json : .list(reports.map(\.json))) }
    return reports.map(\.end.exitStatus).max { $0.rawValue < $1.rawValue } ?? .done
  }

  private func checkTexts(in context: CommandContext) throws {
    try lifetime?.checkAhead(now: context.now)
    do throws(ForeignTextError) {
      if let label { try ForeignText.check(name: label) }
      if let reason { try ForeignText.check(reason: reason) }
    } catch {
      throw CommandError.usage("\(error)")
    }
  }

  private func asking(_ request: Request, in context: CommandContext) throws(CommandError) -> Asking {
    guard let asked = context.catalogue[request.capability]?.capability(asking: request.atoms) else {
      throw .usage("there is no capability \(request.capability)")
    }
    return Asking(request, capability: asked)
  }

  /// Creates a request in the name of the program that runs this command.
  private func request(
    for reference: CapabilityReference, _ patience: Duration?, _ details: ShownDetails?,
    in context: CommandContext
  ) throws -> Request {
    guard let seen = AskingProgram.seen() else {
      throw CommandError("cannot read /proc, so it is not known which program asks")
    }
    var subject = seen.subject(label: label)
    if inFolder {
      subject.folder = ProgramFolder(of: seen.evidence.process)
      guard subject.folder != nil else {
        throw CommandError("it cannot be determined in which folder the program works; was it deleted?")
      }
    }
    let now = context.now
    return Request(
      id: Request.ID(RandomID.make()), subject: subject,
      capability: reference.capability, atoms: reference.atoms, reason: reason, suggestedLifetime: lifetime,
      askedAt: now, givesUpAt: patience.map { now + $0 }, evidence: seen.evidence, details: details)
  }

  private enum Outcome {
    case ended(RequestEnd)
    case signalled(Int32)
  }

  /// The means to ask the broker or, without a broker, the store.
  private struct Means {
    let place: BrokerLocation
    let store: OfflineStore

    init(in context: CommandContext) throws {
      place = try context.brokerPlace()
      let open: @Sendable () throws -> any PermissionStore = { try context.store(.ask) }
      store = OfflineStore(
        environment: context.world, probes: context.probes, policy: context.readPolicy().policy,
        origin: .commandLineAlone, complete: AskingProgram.addingChain(to:),
        make: place.isElsewhere ? nil : open)
      // The store is never closed. Closing it would copy its log into its file, which would delay the answer.
      _ = Unmanaged.passRetained(store)
    }
  }

  /// Makes the request and waits for its end. If a signal ends the process, the request is withdrawn first.
  private func ask(_ asking: Asking, _ means: Means, _ terminal: OwnTerminal) throws -> RequestEnd {
    let answerer = BrokerAnswerer(addresses: means.place.addresses, store: means.store, terminal: terminal)
    do {
      let outcome = try AsyncBridge.wait {
        let outcome = try await first(
          of: { Outcome.ended(try await answerer.end(of: asking)) },
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
      throw CommandError("nobody listens at \(means.place.addresses[0].folder)", status: .noAnswer)
    }
  }

  // MARK: Reporting

  /// How one request ended.
  private struct Report {
    var request: Request
    var end: RequestEnd
    /// The references to what was asked for.
    var texts: [String]

    var json: JSON {
      let (word, explanation) = end.report
      return [
        "answer": .text(word), "explanation": JSON(explanation), "id": .text(request.id.text),
        "requirement": .list(texts.map { .text($0) }),
      ]
    }
  }

  private func print(_ report: Report, isOnly: Bool, to console: Console) throws {
    let (word, explanation) = report.end.report
    let what = report.texts.map(console.visible(written:)).joined(separator: " ")
    try console.print(isOnly ? word : "\(word): \(what)")
    if let explanation { console.note("permtui: \(console.visible(written: explanation))") }
  }
}

extension ShownDetails {
  /// Reads the text of a file, or of standard input if the name is `-`.
  ///
  /// - Throws: ``CommandError`` if the text cannot be read, is not UTF-8, or contains a NUL.
  fileprivate init?(fileOrInput name: String) throws(CommandError) {
    let text = try TextFile(path: name == "-" ? "/dev/stdin" : name).read()
    guard !text.utf8.contains(0) else {
      throw CommandError("'\(name)' contains a NUL character, so it is not text")
    }
    if text.isEmpty { return nil }
    self.init(shortening: text)
  }
}

extension RequestEnd {
  fileprivate var report: (word: String, explanation: String?) {
    switch self {
    case .answered(let answer): (answer.verdict == .allow ? "allowed" : "denied", answer.reason)
    case .dismissed: ("no answer", "the request was dismissed")
    case .nobodyThere: ("no answer", "there was nobody to ask")
    case .timedOut: ("no answer", "nobody answered in time")
    case .withdrawn(let reason):
      ("no answer", "the request was withdrawn" + (reason.map { ": \($0)" } ?? ""))
    case .unavailable(let reason): ("not available", reason)
    }
  }
}
