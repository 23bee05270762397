import ArgumentParser
import PermModel

struct ProgramsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "programs",
    abstract: "List the known programs: what each may use, and which are muted or wait.",
    discussion: """
      A program is known if anything is decided about it, or if it waits for an answer. The exit status is 1 if there is \
      none.

      Examples:
        permtui programs
        permtui programs --desktop
        permtui programs --json | jq -r '.programs[].program.label'
      """)

  @Flag(help: "Instead, what the desktop's permission store says about apps, in its own terms.")
  var desktop = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    if desktop { return try printDesktop(context.console) }
    let overview = try ProgramOverview(try context.store(.read))
    if json {
      try context.console.print(overview.json(context.catalogue))
    } else if overview.rows.isEmpty {
      context.console.note("No program is known yet.")
    } else {
      try context.console.print(overview.table)
      context.console.note(overview.suspension)
    }
    return overview.rows.isEmpty ? .denied : .done
  }

  private func printDesktop(_ console: Console) throws -> ExitStatus {
    let desktop = try DesktopRows()
    if json {
      try console.print(desktop.json)
    } else if desktop.rows.isEmpty {
      console.note("The desktop has stored nothing about apps.")
    } else {
      try console.print(desktop.table)
    }
    return desktop.rows.isEmpty ? .denied : .done
  }
}
