import ArgumentParser
import PermBroker
import PermModel

struct ImportCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add the decisions in a file that 'permtui export' wrote.",
    discussion: """
      A decision in the file replaces the one for the same program, part and scope. As always, a denial takes back \
      what was allowed inside it. Decisions that have ended are left out, and so are allows that the policy or a \
      denial for everyone makes void. The whole import is one change, which 'permtui undo' takes back.

      Examples:
        permtui import decisions.ndjson --dry-run
        permtui import decisions.ndjson
      """)

  @Argument(help: "The file to read; - is standard input.", completion: .file())
  var file: String

  @Flag(name: .customLong("dry-run"), help: "Only say what would change.")
  var isDryRun = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let (decisions, desktopCount) = try readDecisions(context.catalogue)
    let store = try context.store(isDryRun ? .read : .change)
    let plan = try store.planImport(of: decisions, leavingOut: isVoid(in: context))
    if !isDryRun, !plan.decisions.isEmpty {
      try context.broker()?.announceImport()
      try store.importDecisions(plan.decisions, by: .commandLine)
    }
    for line in Self.changes(plan, in: context) { try context.console.print(line) }
    context.console.note(summary(plan))
    if desktopCount > 0 { context.console.note(Self.leftOut(desktopCount)) }
    return .done
  }

  private static func leftOut(_ count: Int) -> String {
    "\(count == 1 ? "1 row" : "\(count) rows") of the desktop left out: permtui-portal store set makes them"
  }

  /// Returns the decisions of the file, and the number of its rows of the desktop's store.
  private func readDecisions(_ catalogue: CapabilityCatalogue) throws -> ([Decision], Int) {
    let text = try TextFile(path: file == "-" ? "/dev/stdin" : file).read()
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // Blank lines are passed over, and keep the numbers of the others.
    let lines = all.map { DesktopRows.isExported($0) ? "" : $0 }
    do throws(StoreError) {
      return (
        try DecisionLines.decode(lines) { catalogue[$0]?.definition },
        all.count(where: DesktopRows.isExported)
      )
    } catch {
      guard case .unreadableLine(let number, let reason) = error else { throw error }
      throw CommandError(
        "'\(file)', line \(number): \(reason)",
        advice: ["nothing was imported; correct that line or take it out, then import again"])
    }
  }

  /// Returns whether the policy, or one of the denials for everyone, makes an allow void.
  private func isVoid(in context: CommandContext) -> (_ allow: Decision, _ denials: [Decision]) -> Bool {
    let policy = context.readPolicy().policy
    return { allow, denials in
      guard let definition = context.catalogue[allow.atom.capability]?.definition else { return false }
      return policy.forbids(allow.atom, to: allow.subject, definition)
        || denials.contains { definition.denies($0.atom, allow.atom) }
    }
  }

  private static func changes(_ plan: ImportPlan, in context: CommandContext) -> [String] {
    plan.added.map { "+ \(context.console.visible($0.subject.name)): \($0.sentence(in: context))" }
      + plan.replaced.map { replacement in
        let before = replacement.before
        return
          "~ \(context.console.visible(before.subject.name)): \(replacement.after.sentence(in: context)),"
          + " was \(before.verdict.past) \(before.lifetime.words)"
      }
      + plan.takenBack.map { "- \(context.console.visible($0.subject.name)): \($0.sentence(in: context))" }
  }

  private func summary(_ plan: ImportPlan) -> String {
    let verb = isDryRun ? "would be " : ""
    let void =
      plan.void.isEmpty
      ? "" : ", \(plan.void.count) left out because the policy or a denial for everyone makes them void"
    return "\(plan.added.count) \(verb)added, \(plan.replaced.count) \(verb)replaced,"
      + " \(plan.unchanged.count) the same already, \(plan.ended.count) left out because they have ended"
      + void + takenBack(plan.takenBack.count)
  }

  private func takenBack(_ count: Int) -> String {
    guard count > 0 else { return "" }
    let allows = count == 1 ? "1 allow" : "\(count) allows"
    return ", \(allows) inside of what is denied \(isDryRun ? "would be " : "")taken back"
  }
}
