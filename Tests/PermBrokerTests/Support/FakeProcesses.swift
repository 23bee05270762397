import Machine
import PermModel

@testable import PermBroker

/// A family tree that a test builds.
struct FakeProcesses: ProcessTable {
  var mountNamespace: UInt64? = 1
  var processes: [Int32: ProcessSnapshot] = [:]
  /// The files that arguments refer to.
  var files: [String: SeenFile] = [:]
  /// The arguments for which a script was looked up.
  let lookups = Lookups()

  final class Lookups: Sendable {
    let scripts = Lock<[String]>([])
  }

  func process(_ pid: Int32) -> ProcessSnapshot? { processes[pid] }

  func script(named argument: String, givenTo process: ProcessSnapshot) -> FoundScript? {
    lookups.scripts.withLock { $0.append(argument) }
    return files[argument].map { FoundScript(file: $0) }
  }

  /// Adds a process. Unless a start is given, it starts right after its parent.
  mutating func add(
    _ pid: Int32, parent: Int32, runs path: String?, _ arguments: [String] = [], isFork: Bool = false,
    startTime: UInt64? = nil, mountNamespace: UInt64? = 1, readsTerminal: Bool = true
  ) {
    let name = path?.lastPathPart ?? "hidden"
    processes[pid] = ProcessSnapshot(
      identity: ProcessIdentity(pid: pid, startTime: startTime ?? UInt64(pid)), parent: parent, name: name,
      executable: path.map { seen($0) }, arguments: [name] + arguments, isFork: isFork, terminal: "pts/3",
      workingDirectory: "/home/ana", mountNamespace: mountNamespace,
      user: 1000, isRootsProgram: path.map { $0.hasPrefix("/usr/") || $0.hasPrefix("/bin/") } ?? false,
      isClient: path == "/usr/bin/permtui", readsTerminal: readsTerminal)
  }

  mutating func addFile(_ argument: String, at path: String) { files[argument] = seen(path) }
}

/// Returns a file whose identity follows from its path.
func seen(_ path: String) -> SeenFile {
  let inode = path.utf8.reduce(UInt64(5381)) { ($0 &* 33) ^ UInt64($1) }
  return SeenFile(path: path, identity: FileIdentity(inode: inode, birth: 1))
}
