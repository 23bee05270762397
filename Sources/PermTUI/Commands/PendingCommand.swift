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
        try context.console.print(JSON(pending, context.catalogue))
      } else {
        try context.console.print(wrapping: pending.waiting.sentence(in: context), indent: 2)
        for warning in pending.warnings {
          try context.console.print(wrapping: context.console.visible("  ! \(warning)"), indent: 4)
        }
      }
    }
    if waiting.isEmpty, !json { context.console.note("Nothing waits.") }
    return waiting.isEmpty ? .denied : .done
  }
}

extension WaitingRequest {
  /// Returns one line that describes the request: its id, requirement, program, time and reason.
  func sentence(in context: CommandContext) -> String {
    let console = context.console
    let reference = CapabilityReference(capability: request.capability, atoms: request.atoms)
    let place = request.subject.folder.map { " in \(console.visible($0.name))" } ?? ""
    var words = [request.id.short] + context.catalogue.texts(reference).map(console.visible(written:))
    words += ["for", "\"\(console.visible(request.subject.label))\"" + place]
    if let path = request.subject.path ?? request.evidence?.program {
      words.append("(\(console.visible(path)))")
    }
    words.append("asked \(request.askedAt.local)")
    if setAsideAt != nil { words.append("set aside") }
    if let terminal { words.append("asked on \(console.visible(terminal))") }
    if let reason = request.reason { words.append("\"\(console.visible(reason))\"") }
    if let lines = request.details?.lineCount { words.append("with \(lines) lines of details") }
    return words.joined(separator: " ")
  }
}

extension ShownDetails {
  /// The number of lines, including those that were left out.
  fileprivate var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } + 1 + linesLeftOut }
}

extension JSON {
  init(_ pending: PendingRequest, _ catalogue: CapabilityCatalogue) {
    let (waiting, request) = (pending.waiting, pending.request)
    self = [
      "asked": .text(MomentArgument.format(request.askedAt)), "capability": .text(request.capability),
      "details": JSON(request.details?.text),
      "details_left_out": .integer(Int64(request.details?.linesLeftOut ?? 0)),
      "digest": .text(pending.digest.description), "id": .text(request.id.text),
      "pid": .integer(Int64(waiting.process.pid)),
      "program": JSON(request.subject), "reason": JSON(request.reason),
      "requirement": JSON(request.atoms, catalogue), "set_aside": .boolean(waiting.setAsideAt != nil),
      "suggested_lifetime": request.suggestedLifetime.map { JSON($0) } ?? .null,
      "terminal": JSON(waiting.terminal),
      "warnings": .list(pending.warnings.map { .text($0) }),
    ]
  }
}
