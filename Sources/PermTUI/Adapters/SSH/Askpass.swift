import Machine
import PermBroker
import PermModel

/// The askpass program that ssh and its agent start. Its standard output is part of their protocol, so only an
/// answer is ever printed there.
struct Askpass {
  /// The name under which ssh can start this program, because ssh passes on no arguments of ours.
  static let name = "permtui-askpass"
  /// The variable that names the person's other askpass program, to which questions for passwords are passed on.
  static let otherProgram = "PERMTUI_ASKPASS"
  private static let promptKind = "SSH_ASKPASS_PROMPT"
  /// The longest time to wait. A server gives up a login after two minutes.
  private static let patience = Duration.seconds(110)

  let context: CommandContext
  /// The connections of the agent's clients, which the agent leaves open in this process.
  let connections: [InheritedConnection]

  /// Whether this process was started under ``name``.
  static var isCalled: Bool {
    ProgramArguments.bytes.first.map { String(cString: $0).lastPathPart } == name
  }

  /// Answers a question, and returns the exit status.
  func answer(_ arguments: [String]) -> ExitStatus {
    switch AskpassPrompt(kind: context.environment[Self.promptKind], text: arguments.first ?? "") {
    case .notice: return .done
    case .key(let use): return print(end(of: question(about: use)))
    case .sharedConnection(let host) where isFromSSH:
      return print(end(of: question(about: host, label: "ssh (shared connection)")))
    case .hostKey(let host, let details) where isFromSSH:
      let asked = question(about: host, label: "ssh (unknown host)", details)
      return print(end(of: asked), printingDenials: true)
    case .sharedConnection, .unclear: return refuse()
    case .hostKey, .other: return passOn(arguments)
    }
  }

  // MARK: The questions

  private func question(about use: AskpassPrompt.KeyUse) -> HelperQuestion {
    let users = Set(connections.map(\.process)).sorted()
    let reason = "key \(use.comment)"
    let isFit = (try? ForeignText.check(reason: reason)) != nil
    let details = (isFit ? [] : [reason]) + [use.destination]
    return HelperQuestion(
      Atom("keys", Atom.whole, .name(use.fingerprint)), label: users.count == 1 ? nil : label(of: use),
      reason: isFit ? reason : nil, details: shown(details.joined(separator: "\n")), keyUsers: users)
  }

  /// Returns the label for an unknown program: the key's comment, or a name for all keys if it is not fit for a label.
  private func label(of use: AskpassPrompt.KeyUse) -> String {
    let isFit = (try? ForeignText.check(name: use.comment)) != nil && !Subject.isVouchedForm(use.comment)
    return isFit ? use.comment : "ssh key"
  }

  private func question(about host: Scope, label: String, _ details: String = "") -> HelperQuestion {
    HelperQuestion(
      Atom("network", "connect", host), label: label, details: shown(details), isOnceOnly: true)
  }

  private func shown(_ text: String) -> ShownDetails? {
    let text = text.filter { $0 != "\0" }
    return text.allSatisfy(\.isNewline) ? nil : ShownDetails(shortening: text)
  }

  /// Whether ssh started this process. It words the questions about hosts, so nobody else may ask them.
  private var isFromSSH: Bool {
    guard let parent = ProcessStat(of: ProcessHandle.own)?.parent,
      let process = LinuxProcessTable().process(parent)
    else { return false }
    return process.isRootsProgram && process.executable?.name == "ssh"
  }

  // MARK: The answer

  private func end(of question: HelperQuestion) -> RequestEnd? {
    do {
      let client = BrokerClient(addresses: try context.brokerPlace().addresses)
      return try AsyncBridge.wait {
        try await first(
          of: { try await client.end(of: question, within: Self.patience) }, { await whenUserIsGone() })
      }
    } catch BrokerSocketError.nobodyListens {
      note("no dashboard is open, so nobody can be asked; open permtui, or run permtui serve")
    } catch {
      note("\(error)")
    }
    return nil
  }

  /// Waits until the only client of the agent has hung up. Returns `nil` if the task is cancelled first, or if there are
  /// other clients, since any of them might be the one that uses the key.
  private func whenUserIsGone() async -> RequestEnd? {
    guard connections.count == 1 else { return nil }
    let (ends, hungUp) = AsyncStream.makeStream(of: RequestEnd.self)
    let descriptors = connections.map(\.descriptor)
    BlockingThread.start {
      Readable.waitForHangUp(of: descriptors)
      hungUp.yield(.withdrawn())
    }
    for await end in ends { return end }
    return nil
  }

  /// Prints the answer in the words of the protocol. Without an answer, prints nothing, which means no.
  private func print(_ end: RequestEnd?, printingDenials: Bool = false) -> ExitStatus {
    guard let verdict = end?.answer?.verdict else { return .denied }
    if verdict == .deny, !printingDenials { return .denied }
    let isPrinted = (try? context.console.print(verdict == .allow ? "yes" : "no")) != nil
    return isPrinted && verdict == .allow ? .done : .denied
  }

  /// Ends without an answer, which is a no. The other askpass program is for passwords, and could take this for one.
  private func refuse() -> ExitStatus {
    note("this question is not understood, so it is neither asked nor passed on")
    if let place = try? context.brokerPlace() {
      AgentClient(addresses: place.addresses, output: -1).note(.unclearAskpass, label: nil)
    }
    return .denied
  }

  // MARK: Passwords

  /// Lets the person's other askpass program ask. This program never reads a password.
  private func passOn(_ arguments: [String]) -> ExitStatus {
    guard let other = context.environment[Self.otherProgram], !other.isEmpty else {
      note("\(Self.otherProgram) does not name a program that asks for passwords")
      return .denied
    }
    // Without the variable, a program that leads back to this one ends here the second time.
    note("\(Program.replaceThis(with: [other] + arguments, without: Self.otherProgram))")
    return .denied
  }

  private func note(_ text: String) { context.console.note("\(Self.name): \(context.console.visible(text))") }
}
