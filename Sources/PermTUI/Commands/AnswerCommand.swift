import ArgumentParser
import PermBroker
import PermModel

struct AnswerCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer a request that waits; without an id, walk through all of them.",
    discussion: """
      The beginning of an id is enough where it fits one request only. The walk needs a terminal and ends when nothing \
      waits any more.

      Examples:
        permtui answer
        permtui answer 5f0c11aa allow --for 10m
        permtui answer 5f0c11aa deny --note 'not on a weekday'
      """)

  enum Word: String, ExpressibleByArgument, CaseIterable { case allow, deny, dismiss }

  @Argument(help: "The request's id, or its beginning.", completion: .custom(Completion.requests))
  var id: String?

  @Argument(help: "allow, deny or dismiss.")
  var answer: Word?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long it holds: once unless given. \(LifetimeArgument.help)", valueName: "lifetime"),
    completion: .list(["once", "process", "session", "forever", "10m", "8h"]),
    transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice = .once

  @Option(help: ArgumentHelp("A note for the journal, and for whoever reads it later.", valueName: "text"))
  var note: String?

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if id != nil, answer == nil { throw ValidationError("say what to answer: allow, deny or dismiss") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    guard let id, let answer else { return try AnswerWalk(shared: shared).run(in: context) }
    let request = try find(id, in: context)
    try send(answer, to: request, in: context)
    let words = RequestWords.line(request, in: context)
    try context.console.print(context.console.visible("\(past(answer)) \(words)"))
    return .done
  }

  private func find(_ id: String, in context: CommandContext) throws -> WaitingRequest {
    let fitting = try context.store(.read).waitingRequests().filter { $0.id.text.hasPrefix(id) }
    guard let request = fitting.first, !id.isEmpty else {
      throw CommandError(
        "no request \(context.console.quoted(id)) waits", advice: ["permtui pending lists those that do"],
        status: .denied)
    }
    guard fitting.count == 1 else {
      throw CommandError.usage(
        "\(context.console.quoted(id)) fits several requests", advice: fitting.map(\.id.text))
    }
    return request
  }

  private func send(_ answer: Word, to request: WaitingRequest, in context: CommandContext) throws {
    let verdict = Verdict(rawValue: answer.rawValue)
    guard let broker = try shared.control() else {
      return try keep(verdict, for: request.request, in: context)
    }
    do throws(BrokerError) {
      try broker.answer(request.id, verdict, for: lifetime, note: note)
    } catch {
      throw CommandError(broker: error)
    }
  }

  /// Without a broker the answer goes to the store, where whoever waits finds it.
  private func keep(_ verdict: Verdict?, for request: Request, in context: CommandContext) throws {
    let store = try context.store(.change)
    if verdict != nil, lifetime != .once,
      let reason = try IdentityCheck(of: request, in: store).reasonForOnce
    {
      throw CommandError.usage("only once is possible: \(reason)")
    }
    let outcome =
      verdict.map { verdict in
        RequestOutcome.answered(
          Answer(verdict, atoms: request.atoms, lifetime: lifetime, note: note, origin: .commandLine))
      } ?? .dismissed
    guard try !store.close(request.id, outcome, by: .commandLine).requests.isEmpty else {
      throw CommandError("it was answered or withdrawn meanwhile", status: .denied)
    }
  }

  private func past(_ answer: Word) -> String {
    switch answer {
    case .allow: "Allowed"
    case .deny: "Denied"
    case .dismiss: "Dismissed"
    }
  }
}
