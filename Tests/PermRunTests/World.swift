import Foundation
import TerminalTesting
import Testing
import Waiting

/// A network in which a run finds a world outside: a namespace for the run's machine, another for servers, and a cable
/// between them. Only root can make it; it is removed at the end of the tests. No packet leaves the machine.
final class World: Sendable {
  /// The name of the namespace of the run's machine.
  let network: String
  private let servers: String
  let folder: String
  private let program: Running

  /// The addresses of each name.
  private static let names: [String: [String]] = [
    "web.example": ["198.51.100.10"], "mirror.example": ["198.51.100.10"], "cdn.example": ["198.51.100.20"],
    "ssh.example": ["198.51.100.10"], "private.example": ["10.9.8.7"],
    "settings.example": ["169.254.169.254"],
    "home.example": ["127.0.0.1"], "own.example": ["203.0.113.1"], "six.example": ["2001:db8:5::10"],
    "two.example": ["198.51.100.11", "198.51.100.10"], "mixed.example": ["10.9.8.7", "198.51.100.10"],
    "nowhere.example": [],
  ]

  private static let addresses = [
    "198.51.100.10/32", "198.51.100.11/32", "198.51.100.20/32", "10.9.8.7/32", "169.254.169.254/32",
    "2001:db8:5::10/128",
  ]

  private init() async throws {
    let id = "\(getpid())"
    (network, servers) = ("\(Self.prefix)m\(id)", "\(Self.prefix)w\(id)")
    folder = "/var/lib/\(Self.prefix)\(id)"
    Self.removeLeftovers()
    atexit { World.remove("\(getpid())") }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try await Self.root(Self.making(network, servers, id))
    try JSONEncoder().encode(Self.names).write(to: URL(filePath: folder + "/names.json"))
    try await Self.root(Self.filling(folder))
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/world.py")
    let command = ["ip", "netns", "exec", servers, "/usr/bin/python3", script.path, folder]
    let program = try Running(
      TestedProgram(path: "/usr/bin/env", arguments: command, environment: Self.environment),
      printingTo: folder + "/world")
    self.program = program
    try await until { program.output.contains("ready") }
  }

  private static let prefix = "permtui-world-"
  private static let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"]

  /// Removes the world of a test process.
  private static func remove(_ id: String) {
    for network in ["\(prefix)m\(id)", "\(prefix)w\(id)"] {
      now("for p in $(ip netns pids \(network)); do kill -KILL $p; done; ip netns del \(network)")
      try? FileManager.default.removeItem(atPath: "/etc/netns/\(network)")
    }
    try? FileManager.default.removeItem(atPath: "/var/lib/\(prefix)\(id)")
  }

  /// Removes the worlds of test processes that were killed.
  private static func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/var/lib")) ?? [] {
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count)) else { continue }
      if process == getpid() || kill(process, 0) != 0 { remove("\(process)") }
    }
  }

  private static func making(_ machine: String, _ servers: String, _ short: String) -> String {
    """
    set -e
    ip netns add \(machine); ip netns add \(servers)
    ip link add m\(short) netns \(machine) type veth peer name w\(short) netns \(servers)
    ip -n \(machine) address add 203.0.113.1/24 dev m\(short)
    ip -n \(machine) address add 2001:db8:1::1/64 dev m\(short) nodad
    ip -n \(servers) address add 203.0.113.2/24 dev w\(short)
    ip -n \(servers) address add 2001:db8:1::2/64 dev w\(short) nodad
    ip -n \(machine) link set lo up; ip -n \(servers) link set lo up
    ip -n \(machine) link set m\(short) up; ip -n \(servers) link set w\(short) up
    ip -n \(machine) route add default via 203.0.113.2
    ip -n \(machine) route add default via 2001:db8:1::2
    for address in \(addresses.joined(separator: " ")); do ip -n \(servers) address add $address dev lo; done
    mkdir -p /etc/netns/\(machine); echo nameserver 203.0.113.2 > /etc/netns/\(machine)/resolv.conf
    """
  }

  /// Makes keys, a repository and a package.
  private static func filling(_ folder: String) -> String {
    """
    set -e; cd \(folder); export HOME=\(folder)
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj /CN=web.example \
      -addext subjectAltName=DNS:web.example,DNS:cdn.example 2>openssl.log
    ssh-keygen -q -t ed25519 -N '' -f host_key; ssh-keygen -q -t ed25519 -N '' -f login_key
    cat > sshd_config <<END
    Port 22
    ListenAddress 198.51.100.10
    HostKey \(folder)/host_key
    AuthorizedKeysFile \(folder)/login_key.pub
    StrictModes no
    PermitRootLogin yes
    UsePAM no
    PidFile none
    END
    git init -q -b main source; cd source; echo text > file; git add file
    git -c user.name=t -c user.email=t@example.com commit -qm first; cd ..
    git clone -q --bare source repository.git; git -C repository.git update-server-info; rm -rf source
    mkdir -p simple/greeting; cd simple/greeting
    python3 - <<END
    import zipfile
    with zipfile.ZipFile("greeting-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("greeting.py", "print('hello from a package')")
        wheel.writestr("greeting-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: greeting\\nVersion: 1\\n")
        wheel.writestr("greeting-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("greeting-1.dist-info/RECORD", "")
    END
    """
  }

  /// The names that anybody has asked for.
  var askedNames: Set<String> {
    Set(
      (try? String(contentsOfFile: folder + "/asked", encoding: .utf8))?.split(separator: "\n").map(
        String.init) ?? [])
  }

  private static func root(_ line: String) async throws {
    let run = try await ProcessRun.run(
      "/bin/sh", ["-c", line], environment: environment)
    guard run.ending == .exited(0) else {
      throw OrdinaryUser.Missing("a world for the tests: \(run.messages)")
    }
  }

  /// The reason why there can be no world on this machine; `nil` if there can.
  static let missing: String? = {
    guard getuid() == 0 else { return "only root can make a network for the tests" }
    let name = "\(prefix)try\(getpid())"
    defer { now("ip netns del \(name)") }
    let line = "ip netns add \(name) && ip -n \(name) link add a type veth peer name b"
    return now(line) == 0 ? nil : "no network can be made for the tests here"
  }()

  @discardableResult
  private static func now(_ line: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The world of all tests; the reason if there can be none.
  static let shared = Task { try await World() }
}
