import ArgumentParser
import PermBroker
import PermModel

/// The arguments and options of `allow` and `deny`.
struct DecisionOptions: ParsableArguments {
  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: "A capability, or some of its parts, such as calendar:reminders.",
    completion: .custom(Completion.capabilities))
  var capability: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      """
      How long it holds; forever unless given: session (until logout), a duration such as 10m or 8h, or a date such as \
      2026-12-24T18:00.
      """,
      valueName: "lifetime"),
    completion: .list(["forever", "session", "10m", "8h"]), transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice = .forever

  func decide(
    _ verdict: Verdict, _ reference: CapabilityReference, in context: CommandContext
  ) throws -> ExitStatus {
    try lifetime.checkDecidable(now: context.now)
    guard !reference.atoms.isEmpty else {
      throw CommandError.usage(
        "\(reference.capability) needs no permission: there is nothing to \(verdict.rawValue)")
    }
    let what = context.catalogue.words(reference)
    let decisions = try context.control().decide(
      verdict, ProgramName(typed: program).wholeText, what, for: lifetime, note: nil)
    guard let decision = decisions.first else { return .done }
    try context.console.print(
      foreign: "\(decision.verdict.past) \(what) for \(decision.subject.label) \(decision.lifetime.words)")
    if decision.subject.isUnbound, decision.verdict == .allow {
      context.console.note(
        "No program was seen under this name yet: the first that asks under it gets the permission.")
    }
    return .done
  }
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
