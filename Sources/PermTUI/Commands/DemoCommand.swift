import ArgumentParser
import Machine
import PermModel

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Open the dashboard on a throw-away store, with alerts to answer.",
    discussion: """
      Eleven programs start and ask. Nothing that you answer touches your own permissions. When you leave, you are \
      told which programs ran, which did not, and why. With --store, its permissions are kept in that new file.

      Examples:
        permtui demo
        permtui demo --store /tmp/demo.sqlite && permtui log --store /tmp/demo.sqlite
      """)

  @Flag(help: "Work line by line, for screen readers and simple terminals.")
  var plain = false

  @OptionGroup var shared: SharedOptions

  func run() throws {
    let launch = try DashboardLaunch(noColor: shared.noColor, isPlain: plain)
    let context = CommandContext.process(storeOption: nil)
    let times = context.configuration.promptTimes
    let machine = try DemoMachine()
    defer { machine.remove() }
    Self.moveHome(to: machine.probes.home)
    let demo = try DemoSession(
      machine, storePath: try newStorePath() ?? "\(machine.folder)/permissions.sqlite", world: context.world,
      times: times, isPlain: launch.isPlain)
    var story: Task<[DemoLine], Never>?
    let code = try launch.show(demo.session) { story = Task.quiet { await demo.tell() } }
    story?.cancel()
    demo.session.services.queue.cancelAll()
    let lines = AsyncBridge.wait { [story] in await story?.value ?? [] }
    // A person who leaves with ^C gets the report, too. After other signals, there might be no terminal.
    if code == 0 || code == 130 {
      for line in lines.report { try context.console.print(wrapping: line, indent: 4) }
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// Makes a folder the home folder of this process, so that the demo's paths are shown with `~`. The person's own
  /// settings have been read. Descriptions of terminals in their home folder are still found.
  private static func moveHome(to folder: String) {
    if let home = Environment.variable("HOME"), Environment.variable("TERMINFO") == nil {
      let descriptions = "\(home)/.terminfo"
      if Files.exists(descriptions) { Environment.set("TERMINFO", to: descriptions) }
    }
    Environment.set("HOME", to: folder)
  }

  /// Returns the path that `--store` names; `nil` without this option. The file must not exist yet, so that the demo's
  /// decisions cannot mix with real ones.
  private func newStorePath() throws(CommandError) -> String? {
    guard let store = shared.store else { return nil }
    let path = Paths.absolute(store)
    guard !Files.exists(path) else {
      throw CommandError(
        "there is a file '\(store)' already", advice: ["name a new file: the demo decides as it likes"],
        status: .usage)
    }
    return path
  }
}
