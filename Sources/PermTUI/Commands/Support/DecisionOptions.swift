import ArgumentParser
import PermBroker
import PermModel

/// The arguments and options of `allow` and `deny`.
struct DecisionOptions: ParsableArguments {
  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: ArgumentHelp(
      "Capabilities, or some of their parts, such as calendar:reminders or files:read@~/music/.",
      valueName: "capability"),
    completion: .custom(Completion.capabilities))
  var capabilities: [String]

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      """
      How long it holds; forever unless given, or as long as it can be allowed: session (until logout), a duration such \
      as 10m or 8h, or a date such as 2026-12-24T18:00.
      """,
      valueName: "lifetime"),
    completion: .list(["forever", "session", "10m", "8h"]), transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice?

  @OptionGroup var place: FolderOption

  /// Decides about all capabilities in one change, and prints a line for each.
  ///
  /// - Parameter isWhole: Whether the name of a capability stands for all of its parts.
  func decide(_ verdict: Verdict, isWhole: Bool, in context: CommandContext) throws -> ExitStatus {
    try lifetime?.checkDecidable(now: context.now)
    let typed = try TypedCapabilities(
      decided: capabilities, isWhole: isWhole, resolvesPatterns: true, in: context)
    for reference in typed.references where reference.atoms.isEmpty {
      throw CommandError.usage(
        "\(reference.capability) needs no permission: there is nothing to \(verdict.rawValue)")
    }
    let name = ProgramName(typed: program, in: place.folder)
    let kept = try context.control().decide(
      verdict, name.wholeText, in: name.folder, typed.references, for: lifetime, note: nil)
    for line in Self.lines(kept.decisions, in: context) { try context.console.print(line) }
    for line in CoverWords.lines(kept.decisions) {
      context.console.note(context.console.visible(written: line))
    }
    try Self.noteRest(of: kept.decisions, in: context)
    if let words = kept.wordsTakenBack { context.console.note(words) }
    for note in typed.notes { context.console.note(context.console.visible(written: note)) }
    if let first = kept.decisions.first, first.subject.isUnbound, !first.subject.isEveryone, verdict == .allow
    {
      context.console.note(
        "No program was seen under this name yet: the first that asks under it gets the permission.")
    }
    return .done
  }

  /// Says for allows that they have no effect yet.
  static func noteRest(of decisions: [Decision], in context: CommandContext) throws {
    let store = try context.store(.read)
    for words in Set(decisions.compactMap { store.rest(of: $0)?.words }).sorted() {
      let sentence = words.prefix(1).uppercased() + words.dropFirst()
      context.console.note(context.console.visible("\(sentence), and is asked about each time."))
    }
  }

  /// Returns one line for each capability or value that was decided.
  private static func lines(_ decisions: [Decision], in context: CommandContext) -> [String] {
    var groups: [[Decision]] = []
    for decision in decisions {
      if let last = groups.last?.last, last.atom.capability == decision.atom.capability,
        last.lifetime == decision.lifetime
      {
        groups[groups.count - 1].append(decision)
      } else {
        groups.append([decision])
      }
    }
    return groups.flatMap { group in lines(ofEqual: group, in: context) }
  }

  /// Returns the lines for decisions about one capability and for the same time.
  private static func lines(ofEqual decisions: [Decision], in context: CommandContext) -> [String] {
    guard let one = decisions.first else { return [] }
    let reference = CapabilityReference(
      capability: one.atom.capability, atoms: Set(decisions.map(\.atom)))
    return context.catalogue.texts(reference, isShown: true).map { text in
      let (what, who) = (context.console.visible(written: text), context.console.visible(one.subject.name))
      return "\(one.verdict.past) \(what) for \(who) \(one.lifetime.words)"
    }
  }
}

/// The option that names the folder of an agent.
struct FolderOption: ParsableArguments {
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Only for an agent that works in this folder.", valueName: "folder"),
    completion: .directory)
  var folder: String?
}

extension LifetimeChoice {
  /// Throws an error if the lifetime has already passed, or if it makes sense only in the answer to a request.
  func checkDecidable(now: Timestamp) throws(CommandError) {
    switch self {
    case .once:
      throw .usage(
        "'once' keeps nothing, so it can only answer a request", advice: ["use a time, as in 10m"])
    case .process:
      throw .usage(
        "'process' needs a running program, so it can only answer a request",
        advice: ["use a time, as in 10m, or session"])
    case .session, .duration, .until, .forever: try checkAhead(now: now)
    }
  }

  /// Throws an error for a deadline that has already passed.
  func checkAhead(now: Timestamp) throws(CommandError) {
    guard case .until(let moment) = self, moment <= now else { return }
    throw .usage("\(moment.local) has passed")
  }
}
