import ArgumentParser
import Machine
import PermBroker
import PermModel

struct AnswerCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer a waiting request; without an id, go through all of them.",
    discussion: """
      With an id, permtui shows the request and asks you to confirm your answer. Scripts pass --digest instead, with \
      the digest that 'permtui pending --json' printed: the answer counts only if the request is still the same. It \
      answers that request and no other. The first characters of an id are enough if they match only one request. \
      Without an id, permtui needs a terminal, and ends when no request is left.

      Examples:
        permtui answer
        permtui answer 5f0c11aa allow --for 10m
        permtui answer "$id" allow --digest "$digest"
        permtui answer 5f0c11aa deny --note 'not on a weekday'
      """)

  enum Word: String, ExpressibleByArgument, CaseIterable { case allow, deny, dismiss }

  @Argument(help: "The request's id, or its first characters.", completion: .custom(Completion.requests))
  var id: String?

  @Argument(help: "allow, deny or dismiss.")
  var answer: Word?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long the answer holds; once unless given. \(LifetimeArgument.help)", valueName: "lifetime"),
    completion: .list(["once", "process", "session", "forever", "10m", "8h"]),
    transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice = .once

  @Option(
    help: ArgumentHelp(
      "The digest from 'permtui pending --json'. Without it, permtui shows the request and asks you to confirm.",
      valueName: "digest"),
    transform: Self.digest)
  var digest: AlertDigest?

  @Option(help: ArgumentHelp("A note for the journal.", valueName: "text"))
  var note: String?

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if id != nil, answer == nil { throw ValidationError("say what to answer: allow, deny or dismiss") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    guard let id, let answer else {
      return try AnsweringSession(context: context, noColor: shared.noColor).run()
    }
    let control = try context.control()
    let pending = try find(id, control, in: context)
    if let verdict = Verdict(rawValue: answer.rawValue) {
      let given = Answer(verdict, atoms: pending.content.choices[0].atoms, lifetime: lifetime, note: note)
      guard let digest = try digest ?? read(pending, given, in: context) else { return .noAnswer }
      try control.answer(pending.id, given, to: digest)
    } else {
      try control.dismiss(pending.id)
    }
    let words = pending.waiting.topic(in: context)
    try context.console.print("\(past(answer)) \(words)\(kept(answer))")
    return .done
  }

  /// Returns words that say for how long the answer is kept. They are empty if it is not.
  private func kept(_ answer: Word) -> String {
    guard answer != .dismiss, lifetime != .once else { return "" }
    return ", \(lifetime.isSpan ? "for " : "")\(lifetime.words(of: nil) { $0.local })"
  }

  /// Shows the request and lets the person confirm the answer.
  ///
  /// - Returns: The digest of the request as shown; `nil` if the person did not confirm.
  private func read(
    _ pending: PendingRequest, _ given: Answer, in context: CommandContext
  ) throws -> AlertDigest? {
    try pending.content.check(given)
    guard StandardStream.isTerminal(StandardStream.input), StandardStream.isTerminal(StandardStream.error)
    else {
      let lines = PlainAlert(pending.alert, isInDashboard: false, confirming: given).lines
      let breaker = LineBreaker(width: nil)
      for line in lines.dropLast().flatMap(breaker.lines) { context.console.note(line) }
      throw CommandError.usage(
        "there is no terminal to confirm on",
        advice: ["name what you have read: --digest, as permtui pending --json prints it"])
    }
    let presenter = LinePresenter(
      input: StandardStream.input, output: StandardStream.error, confirming: given)
    let response = AsyncBridge.wait { try? await presenter.present(pending.alert) }
    if case .answered = response { return pending.digest }
    context.console.note("Nothing was answered.")
    return nil
  }

  @Sendable
  private static func digest(_ text: String) throws -> AlertDigest {
    guard let digest = AlertDigest(text) else {
      throw ValidationError("a digest has 64 hexadecimal digits; permtui pending --json prints it")
    }
    return digest
  }

  private func find(
    _ id: String, _ control: any PermissionControl, in context: CommandContext
  ) throws -> PendingRequest {
    let fitting = try control.pending().filter { $0.id.text.hasPrefix(id) }
    guard let pending = fitting.first, !id.isEmpty else {
      throw CommandError(
        "no request \(context.console.quoted(id)) waits", advice: ["permtui pending lists those that do"],
        status: .denied)
    }
    guard fitting.count == 1 else {
      throw CommandError.usage(
        "\(context.console.quoted(id)) fits several requests", advice: fitting.map(\.id.text))
    }
    return pending
  }

  private func past(_ answer: Word) -> String {
    switch answer {
    case .allow: "Allowed"
    case .deny: "Denied"
    case .dismiss: "Dismissed"
    }
  }
}
