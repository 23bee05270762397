import Machine
package import PermModel

/// A warden's words about the run that it has started. The files that they name are read by the broker itself.
package struct RunClaim: Hashable, Sendable {
  /// The outermost process of the run, which lives as long as the run does.
  package var first: ProcessIdentity
  /// The absolute path of the program's file, as the person named it.
  package var program: String
  package var arguments: [String]
  package var folder: String
  package var terminal: String?
  /// Whether the program uses a folder as it is outside.
  package var hasNativeFolder: Bool

  package init(
    first: ProcessIdentity, program: String, arguments: [String], folder: String, terminal: String? = nil,
    hasNativeFolder: Bool = false
  ) {
    self.first = first
    self.program = program
    self.arguments = arguments
    self.folder = folder
    self.terminal = terminal
    self.hasNativeFolder = hasNativeFolder
  }
}

extension RunClaim {
  /// Returns the program that the run is about, by the same rules as for a program outside: for an interpreter it is the
  /// script. Returns `nil` if there is no such file.
  package func seenProgram() -> IdentifiedProgram? {
    guard program.hasPrefix("/"), folder.hasPrefix("/"), let file = SeenFile(at: program) else { return nil }
    let process = ProcessSnapshot(
      identity: first, parent: 0, name: file.name, executable: file, arguments: arguments,
      terminal: terminal, workingDirectory: folder, mountNamespace: 0, user: Users.current,
      isRootsProgram: file.isProtected, readsTerminal: terminal != nil)
    guard var seen = ProgramFinder(processes: ClaimedProcess(process)).program(behind: first.pid) else {
      return nil
    }
    if process.passesOn {
      seen.evidence.doubt = "\(file.name) only starts other programs, so it is not known which program asks"
    }
    return seen
  }
}

/// A process table with the one process that a run is about. It is described before it runs its program, in the broker's
/// own view of the file system.
private struct ClaimedProcess: ProcessTable {
  private let snapshot: ProcessSnapshot
  var mountNamespace: UInt64? { snapshot.mountNamespace }

  init(_ snapshot: ProcessSnapshot) { self.snapshot = snapshot }

  func process(_ pid: Int32) -> ProcessSnapshot? { pid == snapshot.pid ? snapshot : nil }

  func script(named argument: String, givenTo process: ProcessSnapshot) -> FoundScript? {
    // Such paths lead each process to files of its own.
    if argument.hasPrefix("/dev/") || argument.hasPrefix("/proc/") { return nil }
    let folder = process.workingDirectory ?? "/"
    return SeenFile(at: argument.hasPrefix("/") ? argument : "\(folder)/\(argument)").map {
      FoundScript(file: $0)
    }
  }
}

extension SeenFile {
  /// Creates the description of the file at a path, following links; `nil` if there is none.
  fileprivate init?(at path: String) {
    guard let (resolved, birth) = FileBirth.find(path), FileStatus(resolved)?.kind == .file else {
      return nil
    }
    self.init(
      path: resolved, identity: FileIdentity(birth), isProtected: ProtectedFile.isProtected(resolved))
  }
}
