import ArgumentParser
import PermModel

struct ExportCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all decisions to a file, or to standard output.",
    discussion: """
      One JSON document per decision and line; the first line names the format. What the desktop's own store says about \
      apps follows, for reading only. The journal is not included: see 'permtui log --json'.

      Examples:
        permtui export decisions.ndjson
        permtui export | ssh other permtui import -
      """)

  @Argument(help: "The file to write, which must not exist yet; - is standard output.", completion: .file())
  var file = "-"

  @Flag(help: "Write the file even if it exists.")
  var force = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let decisions = try context.store(.read).decisions()
    let desktop = DesktopProgram.find(context.environment) == nil ? nil : try? DesktopRows()
    let lines = try DecisionLines.encode(decisions) + (desktop?.exported ?? [])
    let text = lines.joined(separator: "\n") + "\n"
    guard file != "-" else {
      try context.console.data.write(text)
      return .done
    }
    try TextFile(path: file).write(text, replacing: force)
    let count = desktop?.rows.count ?? 0
    let rows = count == 0 ? "" : " and \(count == 1 ? "1 row" : "\(count) rows") of the desktop"
    context.console.note("wrote \(decisions.count) decisions\(rows) to \(context.console.visible(file))")
    return .done
  }
}
