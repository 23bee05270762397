import ArgumentParser
import PermBroker
import PermModel

struct PendingCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "pending",
    abstract: "List the requests that are waiting for an answer.",
    discussion: """
      The exit status is 0 if a request is waiting, otherwise 1.

      Below each request, in lines that begin with blanks, is what is doubtful about it and which answers are possible. \
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
        for fact in pending.facts.offered {
          try context.console.print(wrapping: "  \(context.console.visible(written: fact.line))", indent: 4)
        }
      }
    }
    if waiting.isEmpty, !json { context.console.note("Nothing waits.") }
    return waiting.isEmpty ? .denied : .done
  }
}

extension PendingRequest {
  /// Returns the facts about the request, as its alert words them.
  fileprivate var facts: RequestFacts {
    RequestFacts(
      content, choice: 0, visible: { VisibleText.escaped($0) }, quoted: { VisibleText.quoted($0) },
      moment: \.local, exact: nil)
  }
}

extension StoredRequest {
  /// Returns one line that describes the request: its id, requirement, program, time and reason.
  func sentence(in context: CommandContext) -> String {
    let console = context.console
    var words = [request.id.short, topic(in: context)]
    words.append("asked \(request.askedAt.local)")
    if setAsideAt != nil { words.append("set aside") }
    if let terminal { words.append("asked on \(console.visible(terminal))") }
    if let reason = request.reason { words.append("\"\(console.visible(reason))\"") }
    if let lines = request.details?.lineCount { words.append("with \(lines) lines of details") }
    return words.joined(separator: " ")
  }

  /// Returns the requirement, and the program with its file.
  func topic(in context: CommandContext) -> String {
    let console = context.console
    let reference = CapabilityReference(capability: request.capability, atoms: request.atoms)
    let asked = context.catalogue.texts(reference, isShown: true).map { console.visible(written: $0) }
    let place = request.subject.folder.map { " in \(console.visible($0.name))" } ?? ""
    var words = asked + ["for", "\"\(console.visible(request.subject.label))\"" + place]
    if let path = request.subject.path ?? request.evidence?.program {
      words.append("(\(console.visible(HomeFolder.shortened(path))))")
    }
    return words.joined(separator: " ")
  }
}

extension ShownDetails {
  /// The number of lines, including those that were left out.
  fileprivate var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } + 1 + linesLeftOut }
}

extension JSON {
  init(_ pending: PendingRequest, _ catalogue: CapabilityCatalogue) {
    let (waiting, request, content) = (pending.waiting, pending.request, pending.content)
    let covers = content.covers.indices.map { JSON(content.atoms(choice: 0, cover: $0), catalogue) }
    self = [
      "asked": .text(MomentArgument.format(request.askedAt)), "capability": .text(request.capability),
      "covers": .list(covers), "details": JSON(request.details?.text),
      "details_left_out": .integer(Int64(request.details?.linesLeftOut ?? 0)),
      "digest": .text(pending.digest.description), "gives_up": JSON(request.givesUpAt),
      "id": .text(request.id.text),
      "lifetimes": .list(content.lifetimes(cover: 0).map { JSON($0) }),
      "paths": .list(request.facts.paths.map { JSON($0) }),
      "pid": .integer(Int64(waiting.process.pid)),
      "program": JSON(request.subject), "reason": JSON(request.reason),
      "requirement": JSON(request.atoms, catalogue), "set_aside": .boolean(waiting.setAsideAt != nil),
      "suggested_lifetime": request.suggestedLifetime.map { JSON($0) } ?? .null,
      "terminal": JSON(waiting.terminal),
      "warnings": .list(request.warnings(content.identity) { $0 }.map { .text($0) }),
    ]
  }
}

extension JSON {
  fileprivate init(_ offer: LifetimeOffer) {
    self = [
      "allow": .boolean(offer.reason(against: .allow) == nil),
      "deny": .boolean(offer.reason(against: .deny) == nil),
      "lifetime": JSON(offer.choice), "reason": JSON(offer.reason(against: .allow)),
    ]
  }

  fileprivate init(_ fact: PathFact) {
    self = [
      "asked_as": JSON(fact.written ?? fact.spelling?.text), "doubt": JSON(fact.doubt),
      "hard_links": .boolean(fact.file != nil), "path": .text(fact.scope.text),
    ]
  }
}
