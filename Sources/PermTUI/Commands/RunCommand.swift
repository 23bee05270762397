import ArgumentParser
import Machine
import PermModel

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Start a program behind walls: it asks when it uses a file or a host, and a no is a lock.",
    discussion: """
      The program and all that it starts can read the system's files. Everything else is asked about in the usual queue, \
      at the moment of use, and only the thread that uses it waits. A no holds until the program ends. Nothing needs \
      root, and no program has to be made for it. If no broker runs, 'permtui serve' is started.

      When deno, npm, pip, cargo and go write to their caches in the home folder, they write to a private copy, without a \
      question. It is gone when the program ends.

      The exit status is 125 if the walls cannot be built (the message says what helps), 126 if the program cannot be \
      run, 127 if it is not found, otherwise the program's own. A program never runs without its walls. 'permtui doctor' \
      says whether this machine can build them.

      Examples:
        permtui run -- cat notes.txt
        permtui run --here -- npm install
        permtui run --as builder --env CI -- ./build.sh --all
        permtui run --fixed -- ./nightly.sh
      """)

  @Flag(help: "Let the program write below this folder until it ends, except for protected names.")
  var here = false

  @Option(
    name: .customLong("native"),
    help: ArgumentHelp(
      "A folder that the program uses as it is outside, fast and without asking. Can be given several times.",
      valueName: "folder"))
  var nativeFolders: [String] = []

  @Flag(
    help: "Ask nobody: what is not allowed before the start is denied, and listed at the end.")
  var fixed = false

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The name under which the program asks, instead of its file's.", valueName: "label"))
  var label: String?

  @Option(
    name: .customLong("env"),
    help: ArgumentHelp(
      "A variable that the program gets, too; otherwise it gets a short list. Can be given several times.",
      valueName: "name"))
  var names: [String] = []

  @OptionGroup var shared: SharedOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program and its arguments, after --.", valueName: "program"))
  var program: [String] = []

  func validate() throws {
    guard !program.isEmpty else {
      throw ValidationError("name the program after --, as in: permtui run -- ls")
    }
  }

  func run() throws {
    let warden = try Self.warden(besides: Paths.target(ofLink: "/proc/self/exe"))
    // The warden takes the place of this process, so signals, the terminal and the exit status are the program's.
    let failure = Program.replaceThis(with: [warden] + options + ["--"] + program)
    throw CommandError("\(failure)", status: .noWalls)
  }

  /// The arguments of the warden before the program.
  var options: [String] {
    let flags = [here ? "--here" : nil, fixed ? "--fixed" : nil].compactMap(\.self)
    let repeated = nativeFolders.flatMap { ["--native", $0] } + names.flatMap { ["--env", $0] }
    let single: [String] = [label.map { ["--as", $0] }, shared.store.map { ["--store", $0] }]
      .compactMap(\.self).flatMap(\.self)
    return flags + repeated + single
  }

  private static let wardenName = "permtui-run"

  /// Returns the path of the program that builds the walls, which is installed beside this one.
  static func warden(besides own: String?) throws(CommandError) -> String {
    guard let folder = own?.folderOfPath, FileStatus(folder + "/\(wardenName)")?.kind == .file else {
      throw CommandError(
        "the program \(wardenName), which builds the walls, is not installed beside this one",
        advice: ["it is in the package \(wardenName)"], status: .noWalls)
    }
    return folder + "/\(wardenName)"
  }
}
