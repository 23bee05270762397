import Foundation
import Glibc
import Machine
import Operations
import PermModel
import TerminalTesting
import Waiting

@testable import PermBroker
@testable import PermPortal

/// A session without a desktop: a bus of its own, the real portal and permission store, and a broker whose dashboard the
/// test plays.
final class TestDesktop: Sendable {
  let folder: TemporaryFolder
  let store: SQLiteStore
  let broker: Broker
  let presenter = TestPresenter()
  let environment: [String: String]
  private let bus: Service

  /// A process that runs until the test ends, or until it is killed.
  final class Service: @unchecked Sendable {
    private let run: Task<ProcessRun, any Error>
    init(_ run: Task<ProcessRun, any Error>) { self.run = run }
    deinit { run.cancel() }
  }

  static let portal = "/usr/libexec/xdg-desktop-portal"

  init() async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for name in ["run", "data/dbus-1/services", "config", "cache", "portals", "home", "state"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    environment = [
      "HOME": folder.file("home"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
      "XDG_RUNTIME_DIR": folder.file("run"), "XDG_DATA_HOME": folder.file("data"),
      "XDG_CONFIG_HOME": folder.file("config"), "XDG_CACHE_HOME": folder.file("cache"),
      "XDG_STATE_HOME": folder.file("state"), "XDG_CURRENT_DESKTOP": "permtui",
      "XDG_DESKTOP_PORTAL_DIR": folder.file("portals"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.file("bus"))",
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.file("system-bus"))", "SWIFT_BACKTRACE": "enable=no",
    ]
    let path = folder.file("state/permtui/permissions.sqlite")
    try FileManager.default.createDirectory(
      atPath: path.folderOfPath, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    store = try SQLiteStore(path: path, environment: .linux(sessionFolder: folder.file("run/permtui")))
    var configuration = Broker.Configuration(store: store, catalogue: Self.catalogue)
    configuration.exclusion = ExclusionScheduler()
    broker = Broker(configuration)
    presenter.attach(to: broker.keeper)
    try broker.serve(
      ListeningSockets(
        lock: path + ".broker",
        candidates: BrokerLocation(store: path, environment: environment).addresses))
    try Self.write(folder, BuiltProgram.path(of: "permtui-portal"))
    bus = try await Self.startBus(folder.file("bus"), environment)
  }

  /// Writes the files by which the portal and the bus find the backend.
  private static func write(_ folder: TemporaryFolder, _ program: String) throws {
    let name = PortalService.name
    let portal =
      "[portal]\nDBusName=\(name)\n"
      + "Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Background;\nUseIn=permtui;\n"
    try portal.write(toFile: folder.file("portals/permtui.portal"), atomically: false, encoding: .utf8)
    try service(name, program, in: folder)
    let other = "[portal]\nDBusName=\(mock)\nInterfaces=" + mockInterfaces + "\nUseIn=permtui;\n"
    try other.write(toFile: folder.file("portals/mock.portal"), atomically: false, encoding: .utf8)
    let services = script("services.py")
    try service(mock, "/usr/bin/python3 \(services) backend", in: folder)
    try service("org.freedesktop.GeoClue2", "/usr/bin/python3 \(services) geoclue", in: folder)
  }

  private static let mock = "org.freedesktop.impl.portal.desktop.mock"
  private static let mockInterfaces =
    "org.freedesktop.impl.portal.Screenshot;org.freedesktop.impl.portal.Wallpaper;"

  /// Lets a bus start a program for a name.
  private static func service(_ name: String, _ command: String, in folder: TemporaryFolder) throws {
    try "[D-BUS Service]\nName=\(name)\nExec=\(command)\n".write(
      toFile: folder.file("data/dbus-1/services/\(name).service"), atomically: false, encoding: .utf8)
  }

  /// The capabilities that the desktop asks about, on a machine that has all of them.
  private static let catalogue = CapabilityCatalogue(
    [Capability.Camera.definition, Capability.Microphone.definition, Capability.Location.definition].map {
      definition in
      CapabilityDescriptor(definition) { Present(definition: definition, requirement: .init(atoms: $0)) }
    }
  ).adding(["tools"].compactMap { CapabilityCatalogue.builtIn[$0] })

  private struct Present: CapabilityType {
    var definition: CapabilityDefinition
    var requirement: AtomRequirement
  }

  /// Runs a test, and ends everything whatever happens.
  static func run(_ test: (TestDesktop) async throws -> Void) async throws {
    let desktop = try await TestDesktop()
    do {
      try await test(desktop)
    } catch {
      await desktop.end()
      throw error
    }
    await desktop.end()
  }

  private func end() async {
    await broker.stop()
    for process in processes() { Glibc.kill(process, SIGKILL) }
  }
}

// MARK: - Programs

extension TestDesktop {
  private static let longest = Duration.seconds(60)
  /// The time after which a service ends if no test has ended it. 200 kills take several minutes.
  private static let longestTest = Duration.seconds(1_500)

  static func start(_ command: [String], _ environment: [String: String]) -> Service {
    Service(
      Task {
        try await ProcessRun.run("/usr/bin/env", command, environment: environment, limit: longestTest)
      })
  }

  private static func startBus(_ path: String, _ environment: [String: String]) async throws -> Service {
    let bus = start(["dbus-daemon", "--session", "--nofork", "--address=unix:path=\(path)"], environment)
    try await until { FileStatus(path) != nil }
    return bus
  }

  /// Starts the bus on which GeoClue is.
  func startSystemBus() async throws {
    _ = try await Self.startBus(folder.file("system-bus"), environment)
  }

  /// Starts the real portal, and waits until it serves.
  func startPortal() async throws {
    _ = Self.start([Self.portal], environment)
    _ = try await run("gdbus", "wait", "--session", "--timeout", "30", PortalService.portal)
  }

  /// Starts a permission store that refuses to remove a row, once.
  func startRefusingStore() async throws -> Service {
    let service = Self.start(["python3", Self.script("services.py"), "store"], environment)
    try await run(
      "gdbus", "wait", "--session", "--timeout", "30", "org.freedesktop.impl.portal.PermissionStore")
    return service
  }

  /// Runs a command to its end, and returns what it printed.
  @discardableResult
  func run(_ command: String...) async throws -> String { try await run(command) }

  func run(_ command: [String]) async throws -> String {
    try await ProcessRun.run("/usr/bin/env", command, environment: environment, limit: Self.longest).output
  }

  private static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/\(name)").path
  }

  /// Asks for the camera as an app that the portal takes for a Flatpak program, once for each token.
  func askForCamera(as app: String, _ tokens: String...) async throws -> [String] {
    try await ask(for: "camera", as: app, tokens)
  }

  /// Asks for a thing as an app that the portal takes for a Flatpak program, once for each token. The sound server asks for
  /// microphone and speakers, which names the app's process.
  func ask(for thing: String, as app: String, _ tokens: [String]) async throws -> [String] {
    let copy = folder.file("client.py")
    try? FileManager.default.copyItem(atPath: Self.script("client.py"), toPath: copy)
    let isSound = ["microphone", "speakers"].contains(thing)
    let line = Self.sandbox + (isSound ? Self.soundServer : #"run python3 "$0/client.py" "$@""#)
    let output = try await run(["bash", "-c", line, folder.path, app, thing] + tokens)
    return output.split(separator: "\n").map(String.init)
  }

  /// The function that runs a program as the app. Of the root folder only copies are inside, so that the file which names the
  /// app is in no real folder.
  private static let sandbox = """
    app=$1; shift
    run() {
      exec 9< <(printf '[Application]\\nname=%s\\n\\n[Instance]\\ninstance-id=1\\n' "$app")
      exec bwrap --tmpfs / --ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin --symlink usr/lib /lib \
        --symlink usr/lib64 /lib64 --bind "$folder" "$folder" --dev /dev --proc /proc \
        --ro-bind-data 9 /.flatpak-info --die-with-parent -- "$@"
    }
    folder=$0

    """

  /// Runs an app that does nothing, and asks for it from outside.
  private static let soundServer = """
    exec 8< <(run sh -c 'echo $$; exec sleep 300')
    read -r process <&8
    thing=$1; shift
    python3 "$folder/client.py" "$thing" "$process" "$@"
    kill "$process"
    """

  /// Plays the portal with this document, and returns the lines that it printed.
  func playPortal(_ order: String) async throws -> [String] {
    try await run("python3", Self.script("portal.py"), order).split(separator: "\n").map(String.init)
  }

  /// Sends random calls to the backend in the portal's name, and returns how they ended.
  func playHostilePortal(_ count: Int, seed: Int) async throws -> String {
    try await run("python3", Self.script("hostile.py"), "\(count)", "\(seed)")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Writes a row as the portal does after a dialogue.
  func writeAsPortal(_ row: PermissionRow, _ permissions: [String]) async throws -> String {
    try await run(
      ["python3", Self.script("store.py"), "set", row.table, row.id, row.app] + permissions)
  }

  func storeProgram(_ words: String...) async throws -> String {
    try await run(["python3", Self.script("store.py")] + words).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// The value of a row of the desktop's store; empty if there is none.
  func row(_ app: String, table: String = "devices", id: String = "camera") async throws -> String {
    try await storeProgram("get", table, id, app)
  }

  func untilRow(_ app: String, is value: String) async throws {
    try await until { try await row(app) == value }
  }

  /// Waits until the first permission of a row is this; empty for no row.
  func untilRow(_ app: String, _ table: String, _ id: String, is value: String) async throws {
    try await until { try await row(app, table: table, id: id).split(separator: " ").first ?? "" == value }
  }

  /// The processes of this session with a program in their command line.
  func processes(of program: String = "") -> [pid_t] {
    let mark = Array("XDG_RUNTIME_DIR=\(folder.file("run"))\0".utf8)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return all.filter { process in
      guard process != getpid(),
        let variables = try? Files.bytes(of: "/proc/\(process)/environ", limit: 1 << 16),
        String(decoding: variables, as: UTF8.self).contains(String(decoding: mark, as: UTF8.self)),
        let line = Files.text(of: "/proc/\(process)/cmdline")
      else { return false }
      return program.isEmpty || line.split(separator: "\0").first.map({ String($0).lastPathPart }) == program
    }
  }

  func kill(_ program: String, by signal: Int32 = SIGKILL) async throws {
    let found = processes(of: program)
    for process in found { Glibc.kill(process, signal) }
    try await until { found.allSatisfy { Glibc.kill($0, 0) != 0 || isZombie($0) } }
  }

  private func isZombie(_ process: pid_t) -> Bool {
    Files.text(of: "/proc/\(process)/stat")?.contains(") Z ") ?? true
  }
}
