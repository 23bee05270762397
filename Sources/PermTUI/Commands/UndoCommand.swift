import ArgumentParser
import PermBroker
import PermModel

struct UndoCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last change of decisions, whoever made it.",
    discussion: """
      The last thousand changes can be undone, one after the other, and made again with --redo. Neither is possible if \
      one of the decisions has been changed since.

      Examples:
        permtui undo --dry-run
        permtui undo
        permtui undo --redo
      """)

  @Flag(name: .customLong("dry-run"), help: "Only say what would be changed.")
  var isDryRun = false

  @Flag(name: .customLong("redo"), help: "Make the change that was undone last again.")
  var redoes = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let control = try context.control(isDryRun ? .read : .change)
    let step: HistoryStep = redoes ? .redo : .undo
    let change = try control.take(step, onlyTelling: isDryRun)
    for entry in change.entries {
      try context.console.print(Self.words(entry, step, isDryRun: isDryRun, in: context))
    }
    if !isDryRun, !redoes, change.entries.contains(where: { $0.after?.verdict == .allow }) {
      context.console.note("A program that was told yes before may still be running.")
    }
    return .done
  }

  private static func words(
    _ entry: JournalEntry, _ step: HistoryStep, isDryRun: Bool, in context: CommandContext
  ) -> String {
    let texts = entry.atoms.sorted().map { context.console.visible(written: context.catalogue.shown($0)) }
    let what = texts.joined(separator: ", ")
    let who = entry.subject.map { context.console.visible($0.name) } ?? ""
    let (from, to) = step == .undo ? (entry.after, entry.before) : (entry.before, entry.after)
    let verb = isDryRun ? "would \(step.rawValue)" : step == .undo ? "undid" : "redid"
    let (was, becomes) = isDryRun ? ("", "would be") : ("was ", "is")
    return "\(verb) \(what) for \(who): \(was)\(state(from)), \(becomes) \(state(to)) again"
  }

  private static func state(_ decision: Decision?) -> String {
    decision.map { "\($0.past) \($0.lifetime.words)" } ?? "undecided"
  }
}
