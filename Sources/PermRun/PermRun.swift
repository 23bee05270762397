import ArgumentParser
import CFuse
import CWalls
import Machine
import PermBroker
import PermModel

/// The program `permtui-run`: the warden of one program, which it starts behind walls.
@main
struct PermRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permtui-run",
    abstract: "Start a program that asks before it uses a file or reaches a host.",
    discussion: """
      The program and all that it starts see the files of this machine, but each that is not the system's has to be \
      allowed when it is used, and so has each host. Until then the program waits. 'permtui run' starts this program.
      """)

  static let _errorPrefix = "permtui-run: "

  @Option(help: "The store with the decisions.") var store: String?
  @Option(name: .customLong("as"), help: "The name under which the program asks.") var label: String?
  @Flag(help: "Allow the program to write below the working folder until it ends, protected names aside.")
  var here = false
  @Option(
    name: .customLong("native"),
    help: "A folder that the program uses as it is outside, without being asked. Can be given several times.")
  var nativeFolders: [String] = []
  @Flag(help: "Ask nobody: what is not allowed before the start is denied, and listed at the end.")
  var fixed = false
  @Option(name: .customLong("env"), help: "A variable of the environment that the program gets, too.")
  var names: [String] = []
  @Flag(help: ArgumentHelp("Ask nobody: wait until something is decided elsewhere.", visibility: .private))
  var alone = false
  @Flag(
    name: .customLong("try"),
    help: ArgumentHelp("Build the walls for a moment, and print what is missing.", visibility: .private))
  var isTrial = false
  @Option(help: ArgumentHelp("The FUSE device.", visibility: .private)) var fuse = "/dev/fuse"
  @Option(help: ArgumentHelp("The release of the kernel, for tests.", visibility: .private))
  var kernel = KernelVersion.runningRelease
  @Option(help: "A descriptor for lines about what is asked, refused and taken back.") var notes: Int32 = 2
  @Argument(parsing: .postTerminator, help: "The program and its arguments.") var program: [String] = []

  static func main() {
    do {
      var run = try parse()
      if run.isTrial { run.prepareTrial() }
      try run.runProgram()
    } catch let failure as WallsFailure {
      Notes(descriptor: 2).note(failure.text)
      CFuse.exit(WallsFailure.status)
    } catch {
      exit(withError: error)
    }
  }

  /// Sets what is run to a program that does nothing, in the root folder, and without a store. What is missing is printed.
  private mutating func prepareTrial() {
    (program, notes, alone) = (["true"], 1, true)
    dup2(1, 2)
    chdir("/")
  }

  private func runProgram() throws -> Never {
    guard !program.isEmpty else { throw ValidationError("Name the program after --.") }
    try KernelVersion.check(release: kernel)
    closeInherited()
    let variables = Environment.variables
    try ProgramEnvironment.check(names, in: variables)
    guard let path = store.map(StoreLocation.absolute) ?? StoreLocation.path(environment: variables) else {
      throw WallsFailure("the home folder is unknown, so there is no store; name one with --store")
    }
    let folder = try workingFolder()
    let native = try openNative(working: folder, store: path, variables)
    let descriptors = raiseLimit()
    let terminal = isTrial ? nil : try PersonTerminal.find()
    let start = Start(
      arguments: program,
      environment: ProgramEnvironment.built(
        from: variables, folder: folder, adding: Set(names),
        sockets: alone || fixed
          ? nil : BrokerLocation(store: path, environment: variables).addresses.first?.folder),
      folder: folder, native: native,
      fuse: fuse, descriptors: descriptors.before, ignoredSignals: walls_ignored_signals(), terminal: terminal
    )
    let notes = Notes(descriptor: notes)
    let preparation = RunPreparation(
      program: program, label: label, store: path, folder: folder, variables: variables, isHere: here,
      native: native, isFixed: fixed, isAlone: alone, isTrial: isTrial, notes: notes,
      mostNodes: max(16, descriptors.now * 6 / 10))
    let status = try start.run(try StandardStreams(terminal)) { first throws(WallsFailure) in
      try Patience.saying(
        "waiting for a broker, for \(path), or for the home folder: one of them does not answer", to: notes
      ) { () throws(WallsFailure) in try preparation.settings(first) }
    }
    for folder in native { folder.tell(notes) }
    CFuse.exit(status)
  }

  /// Opens the folders that the program uses as they are outside. Without any, nothing is looked at: the store's disk might
  /// not answer.
  private func openNative(
    working: String, store: String, _ variables: [String: String]
  ) throws(WallsFailure) -> [NativeFolder] {
    guard !nativeFolders.isEmpty else { return [] }
    let place = try NativePlace.current(working: working, store: store, variables)
    return try nativeFolders.map { name throws(WallsFailure) in try NativeFolder(name, place) }
  }

  private func workingFolder() throws(WallsFailure) -> String {
    guard let folder = Paths.resolved("."), let path = try? AbsolutePath(folder) else {
      throw WallsFailure("the working folder is gone")
    }
    if let kind = AnsweringFileSystems.current.kind(of: path) {
      throw WallsFailure(
        "\(folder) lies on a file system of the kind \(kind), which looks empty behind the walls")
    }
    return folder
  }

  /// Closes the descriptors that this process has inherited. They would take the places of those for names.
  private func closeInherited() {
    for descriptor in Folder.names(in: "/proc/self/fd").compactMap(Int32.init)
    where descriptor > 2 && descriptor != notes { close(descriptor) }
  }

  /// Raises the limit of open files of this process, and returns it with the one before.
  private func raiseLimit() -> (before: UInt64, now: Int) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(7), &limit)
    let before = UInt64(limit.rlim_cur)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(7), &limit)
    getrlimit(__rlimit_resource_t(7), &limit)
    return (before, Int(min(limit.rlim_cur, 1 << 20)))
  }
}
