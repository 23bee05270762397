import ArgumentParser
import CFuse
import CWalls
import Machine
import PermModel

/// The program `permtui-run`: the warden of one program, which it starts behind walls.
@main
struct PermRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permtui-run",
    abstract: "Start a program that asks before it uses a file.",
    discussion: """
      The program and all that it starts see the files of this machine, but each that is not the system's has to be
      allowed when it is used. Until then the program waits. There is no network.
      """)

  static let _errorPrefix = "permtui-run: "

  @Option(help: "The store with the decisions.") var store: String?
  @Option(name: .customLong("as"), help: "The name under which the program asks.") var label: String?
  @Flag(help: "Allow the program to write below the working folder until it ends, protected names aside.")
  var here = false
  @Option(help: ArgumentHelp("The FUSE device.", visibility: .private)) var fuse = "/dev/fuse"
  @Option(help: ArgumentHelp("The release of the kernel, for tests.", visibility: .private))
  var kernel = KernelVersion.runningRelease
  @Option(help: "A descriptor for lines about what is asked, refused and taken back.") var notes: Int32 = 2
  @Argument(parsing: .postTerminator, help: "The program and its arguments.") var program: [String] = []

  static func main() {
    do {
      try parse().runProgram()
    } catch let failure as WallsFailure {
      Notes(descriptor: 2).note(failure.text)
      CFuse.exit(WallsFailure.status)
    } catch {
      exit(withError: error)
    }
  }

  private func runProgram() throws -> Never {
    guard let name = program.first else { throw ValidationError("Name the program after --.") }
    try KernelVersion.check(release: kernel)
    closeInherited()
    let variables = Environment.variables
    guard let path = store.map(StoreLocation.absolute) ?? StoreLocation.path(environment: variables) else {
      throw WallsFailure("the home folder is unknown, so there is no store; name one with --store")
    }
    let folder = try workingFolder()
    let descriptors = raiseLimit()
    let start = Start(
      arguments: program, environment: ProgramEnvironment.built(from: variables, folder: folder),
      folder: folder,
      fuse: fuse, descriptors: descriptors.before, ignoredSignals: walls_ignored_signals())
    let settings: ShadowSettings = try Patience.saying(
      "waiting for \(path), or for the home folder: a disk does not answer", to: Notes(descriptor: notes)
    ) {
      try self.settings(name, path, variables, in: folder, mostNodes: max(16, descriptors.now * 6 / 10))
    }
    let status = try start.run(settings, try StandardStreams())
    settings.rulings.finish()
    CFuse.exit(status)
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

  private func settings(
    _ name: String, _ store: String, _ variables: [String: String], in folder: String, mostNodes: Int
  ) throws -> ShadowSettings {
    let world = StoreEnvironment.linux(sessionFolder: variables["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    let decisions: any PermissionStore
    do { decisions = try SQLiteStore(path: store, environment: world) } catch {
      throw WallsFailure("\(error)")
    }
    let subject = RunSubject.of(name, label: label, searching: variables["PATH"] ?? "/usr/bin:/bin")
    let rulings = try StoreRulings(
      decisions, subject, MachinePolicy.read(UserConfiguration.read(.current).environment).policy,
      here: here ? AbsolutePath(folder) : nil)
    let hidden = HiddenNames.current(variables, home: Users.homeFolder, user: Users.current, store: store)
    return ShadowSettings(
      rulings: rulings, hidden: hidden, notes: Notes(descriptor: notes), user: Users.current,
      group: getegid(),
      mostNodes: mostNodes)
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
