import ArgumentParser
import PermModel

struct StatusCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what is allowed and denied now.",
    discussion: """
      Prints one line per capability; those that this machine does not have share one. With a capability or a program, \
      prints one line per decision.

      Examples:
        permtui status
        permtui status photos
        permtui status --program backup --json
      """)

  @Argument(
    help: "Only this capability, or these parts of it, for these values.",
    completion: .custom(Completion.capabilities))
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
    let reference = try namedCapability(in: context)
    let store = try context.store(.read)
    let decisions = try decisions(about: reference, in: store)
    let suspension = try store.suspension()
    try json
      ? context.console.print(JSON(listing: decisions, suspension, context.catalogue))
      : print(decisions, suspension, in: context)
    return decisions.isEmpty ? .denied : .done
  }

  private func print(_ decisions: [Decision], _ suspension: Suspension?, in context: CommandContext) throws {
    if decisions.isEmpty {
      context.console.note("Nothing is decided about that.")
    } else {
      try context.console.print(
        Table(decisions, areAllowsSuspended: suspension != nil, context.catalogue))
    }
    context.console.note(suspension)
  }

  /// Returns the capability that was typed; `nil` if there was none.
  private func namedCapability(in context: CommandContext) throws -> CapabilityReference? {
    guard let capability else { return nil }
    let named: TypedCapabilities
    do {
      named = try TypedCapabilities(decided: [capability], isWhole: true, in: context)
    } catch let error as CapabilityReferenceError {
      throw CommandError.usage("\(error)", advice: try advice(in: context))
    }
    for note in named.notes { context.console.note(context.console.visible(note)) }
    let reference = named.references.first
    if !json, let why = reference.flatMap({ context.availability(of: $0).unavailability }) {
      context.console.note("Not available on this machine: \(context.console.visible("\(why)"))")
    }
    return reference
  }

  /// Returns advice for a person who has typed the name of a program instead of a capability; empty if no such program is
  /// known.
  private func advice(in context: CommandContext) throws -> [String] {
    guard let capability, program == nil,
      try ProgramName(typed: capability).isKnown(in: try context.store(.read))
    else { return [] }
    return ["for a program: permtui status --program \(capability.shellQuoted)"]
  }

  private func decisions(
    about reference: CapabilityReference?, in store: any PermissionStore
  ) throws -> [Decision] {
    var filter = DecisionFilter(capability: reference?.capability)
    if let program {
      let subject = try ProgramName(typed: program).required(in: store)
      filter.label = subject.label
      filter.path = subject.path
    }
    let decisions = try store.decisions(filter)
    guard let reference else { return decisions }
    return decisions.filter { decision in
      reference.atoms.contains { $0.name == decision.atom.name && $0.scope.covers(decision.atom.scope) }
    }
  }
}

extension Table {
  /// Creates a table with one row for each decision.
  ///
  /// - Parameter areAllowsSuspended: Whether a panic is on, during which no allow counts.
  fileprivate init(_ decisions: [Decision], areAllowsSuspended: Bool, _ catalogue: CapabilityCatalogue) {
    self.init(
      "Program", "File", "Requirement", "Answer", "Until", "Decided", "By",
      fitting: [
        .drop("By"), .drop("Decided"), .shortenStart("File"), .shortenEnd("Requirement"),
        .shortenEnd("Program"),
        .drop("File"),
      ])
    for decision in decisions {
      let isSuspended = areAllowsSuspended && decision.verdict == .allow
      add(
        .init(decision.subject.name), .init(decision.subject.place),
        .init(written: catalogue.shown(decision.atom)),
        isSuspended ? .init(CapabilityStatus.suspended) : .init(decision.past, decision.verdict.role),
        .init(decision.lifetime.end(\.local)), .init(decision.decidedAt.local),
        .init(decision.origin.noun))
    }
  }
}

extension Subject {
  /// Whether the program's file, or the folder of an agent, has been replaced by another one at the same path.
  /// Decisions about the old one do not apply to the new one.
  var isReplaced: Bool {
    folder?.isReplaced == true
      || path != nil && file != nil && withFileOfNow.map { !$0.isSameProgram(as: self) } == true
  }

  /// The place where the program was seen, such as its path or its process, in a few words.
  var place: String {
    if isEveryone { return "every program" }
    let process = fileless?.process.map { "pid \($0.pid), no file" }
    var words = [path.map { HomeFolder.shortened($0) } ?? process ?? (isUnbound ? "not seen yet" : "no file")]
    if isSandboxed { words.append("(sandboxed)") }
    if isReplaced { words.append("(replaced since)") }
    return words.joined(separator: " ")
  }
}

extension JSON {
  /// Creates the document with these decisions, and with the panic that suspends the allows among them.
  fileprivate init(
    listing decisions: [Decision], _ suspension: Suspension?, _ catalogue: CapabilityCatalogue
  ) {
    self = [
      "decisions": .list(decisions.map { JSON(listing: $0, catalogue) }), "suspended": JSON(suspension),
    ]
  }

  /// Creates a document that describes a decision and says whether the program's file has been replaced since.
  fileprivate init(listing decision: Decision, _ catalogue: CapabilityCatalogue) {
    self = JSON(decision, catalogue)
    guard case .object(var members) = self else { return }
    members["replaced"] = .boolean(decision.subject.isReplaced)
    self = .object(members)
  }
}
