import ArgumentParser
import PermBroker
import PermModel

struct PendingCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "pending",
    abstract: "List the requests that are waiting for an answer.",
    discussion: """
      The exit status is 0 if a request is waiting, otherwise 1.

      With --json, each request has a digest of its whole alert, for permtui answer --digest.

      Examples:
        permtui pending
        permtui pending --json | jq -r .id
      """)

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let waiting = try context.control(.read).pending()
    for pending in waiting {
      if json {
        try context.console.print(JSON(pending))
      } else {
        try context.console.print(foreign: pending.waiting.sentence(context.catalogue))
        for warning in pending.warnings { try context.console.print(foreign: "  ! \(warning)") }
      }
    }
    if waiting.isEmpty, !json { context.console.note("Nothing waits.") }
    return waiting.isEmpty ? .denied : .done
  }
}

extension WaitingRequest {
  /// Returns one line that describes the request: its id, requirement, program, time and reason.
  func sentence(_ catalogue: CapabilityCatalogue) -> String {
    let reference = CapabilityReference(capability: request.capability, atoms: request.atoms)
    var words = [
      request.id.short, catalogue.words(reference), "for", "\"\(request.subject.label)\"",
      "asked \(request.askedAt.local)",
    ]
    if let path = request.subject.path ?? request.evidence?.program { words.insert("(\(path))", at: 4) }
    if setAsideAt != nil { words.append("set aside") }
    if let terminal { words.append("asked on \(terminal)") }
    if let reason = request.reason { words.append("\"\(reason)\"") }
    return words.joined(separator: " ")
  }
}

extension JSON {
  init(_ pending: PendingRequest) {
    let (waiting, request) = (pending.waiting, pending.request)
    self = [
      "asked": .text(MomentArgument.format(request.askedAt)), "capability": .text(request.capability),
      "digest": .text(pending.digest.description), "id": .text(request.id.text),
      "pid": .integer(Int64(waiting.process.pid)),
      "program": JSON(request.subject), "reason": JSON(request.reason),
      "requirement": JSON(request.atoms), "set_aside": .boolean(waiting.setAsideAt != nil),
      "suggested_lifetime": request.suggestedLifetime.map { JSON($0) } ?? .null,
      "terminal": JSON(waiting.terminal),
      "warnings": .list(pending.warnings.map { .text($0) }),
    ]
  }
}
