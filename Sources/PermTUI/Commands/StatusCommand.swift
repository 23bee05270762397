import ArgumentParser
import PermModel

struct StatusCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what is allowed and denied now.",
    discussion: """
      Prints one line per capability; with a capability or a program, one line per decision.

      Examples:
        permtui status
        permtui status photos
        permtui status --program backup --json
      """)

  @Argument(
    help: "Only this capability, or these parts of it.", completion: .custom(Completion.capabilities))
  var capability: String?

  @Option(
    help: ArgumentHelp("Only this program: its label, its path, or label@/path.", valueName: "program"),
    completion: .custom(Completion.programs))
  var program: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    guard capability != nil || program != nil else {
      let overview = try CapabilityOverview(context)
      try json ? context.console.print(overview.json) : overview.print(to: context.console)
      return .done
    }
    let decisions = try matchingDecisions(in: context)
    if json {
      try context.console.print(["decisions": .list(decisions.map(JSON.init(listing:)))] as JSON)
    } else if !decisions.isEmpty {
      try context.console.print(Table(decisions))
    } else {
      context.console.note("Nothing is decided about that.")
    }
    return decisions.isEmpty ? .denied : .done
  }

  private func matchingDecisions(in context: CommandContext) throws -> [Decision] {
    let reference = try capability.map { try context.catalogue.parseWhole($0) }
    let store = try context.store(.read)
    var filter = DecisionFilter(capability: reference?.capability, atoms: reference?.atoms)
    if let program {
      let subject = try ProgramName(typed: program).required(in: store)
      filter.label = subject.label
      filter.path = subject.path
    }
    return try store.decisions(filter)
  }
}

extension Table {
  /// Creates a table with one row for each decision.
  fileprivate init(_ decisions: [Decision]) {
    self.init("Program", "File", "Requirement", "Answer", "Until", "Decided", "By")
    for decision in decisions {
      add(
        .init(decision.subject.label), .init(decision.subject.place),
        .init(decision.atom.description), .init(decision.verdict.past, decision.verdict.role),
        .init(decision.lifetime.end(\.local)), .init(decision.decidedAt.local),
        .init(decision.origin.noun))
    }
  }
}

extension Subject {
  /// Whether the program's file has been replaced by another file at the same path. Decisions about the old file do
  /// not apply to the new one.
  var isReplaced: Bool {
    path != nil && file != nil && withFileOfNow.map { !$0.isSameProgram(as: self) } == true
  }

  /// The place where the program was seen, such as its path or its process, in a few words.
  var place: String {
    let process = fileless?.process.map { "pid \($0.pid), no file" }
    var words = [path ?? process ?? (isUnbound ? "not seen yet" : "no file")]
    if isSandboxed { words.append("(sandboxed)") }
    if isReplaced { words.append("(replaced since)") }
    return words.joined(separator: " ")
  }
}

extension JSON {
  /// Creates a document that describes a decision and says whether the program's file has been replaced since.
  fileprivate init(listing decision: Decision) {
    self = JSON(decision)
    guard case .object(var members) = self else { return }
    members["replaced"] = .boolean(decision.subject.isReplaced)
    self = .object(members)
  }
}
