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
    guard let id, let answer else { return try AnswerWalk(context: context).run() }
    let control = try context.control()
    let request = try find(id, control, in: context)
    try control.answer(request.id, Verdict(rawValue: answer.rawValue), for: lifetime, note: note)
    let words = RequestWords.line(request, in: context)
    try context.console.print(context.console.visible("\(past(answer)) \(words)"))
    return .done
  }

  private func find(
    _ id: String, _ control: any PermissionControl, in context: CommandContext
  ) throws -> WaitingRequest {
    let fitting = try control.waitingRequests().filter { $0.id.text.hasPrefix(id) }
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

  private func past(_ answer: Word) -> String {
    switch answer {
    case .allow: "Allowed"
    case .deny: "Denied"
    case .dismiss: "Dismissed"
    }
  }
}
