import ArgumentParser
import PermBroker
import PermModel

struct UndoCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last change of decisions, whoever made it.",
    discussion: """
      The last hundred changes can be undone, one after the other. A change is not undone if one of its decisions has \
      been changed again since.

      Examples:
        permtui undo --dry-run
        permtui undo
      """)

  @Flag(name: .customLong("dry-run"), help: "Only say what would be undone.")
  var isDryRun = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let control = try context.control(isDryRun ? .read : .change)
    let change = try control.undo(onlyTelling: isDryRun)
    for entry in change.entries {
      try context.console.print(Self.words(entry, isDryRun: isDryRun, in: context))
    }
    if !isDryRun, change.entries.contains(where: { $0.after?.verdict == .allow }) {
      context.console.note("A program that was told yes before may still be running.")
    }
    return .done
  }

  private static func words(
    _ entry: JournalEntry, isDryRun: Bool, in context: CommandContext
  ) -> String {
    let texts = entry.atoms.sorted().map { context.console.visible(written: context.catalogue.text($0)) }
    let what = texts.joined(separator: ", ")
    let who = entry.subject.map { context.console.visible($0.name) } ?? ""
    let (done, back) = (state(entry.after), state(entry.before))
    return isDryRun
      ? "would undo \(what) for \(who): \(done), would be \(back) again"
      : "undid \(what) for \(who): was \(done), is \(back) again"
  }

  private static func state(_ decision: Decision?) -> String {
    decision.map { "\($0.verdict.past) \($0.lifetime.words)" } ?? "undecided"
  }
}
