import Machine
import PermModel

/// A process table that reads the processes of this machine from `/proc`.
package struct LinuxProcessTable: ProcessTable {
  package let mountNamespace: UInt64?
  /// The file of the command that asks on behalf of other programs. If this is `nil`, only a `permtui` that root
  /// installed is recognized as that command.
  private let client: String?
  /// The file that ``client`` leads to, if that always stays the same one.
  private let own: FileStatus?

  /// - Parameter client: The file of the command that asks on behalf of other programs; by default the file that this
  ///   process is running.
  package init(client: String? = "/proc/self/exe") {
    self.client = client
    own = client == "/proc/self/exe" ? FileStatus("/proc/self/exe") : nil
    mountNamespace = Self.mountNamespace(of: "self")
  }

  package func process(_ pid: Int32) -> ProcessSnapshot? {
    guard var process = ancestor(pid) else { return nil }
    let isOutside = process.mountNamespace == mountNamespace
    if let executable = process.executable {
      if isOutside { process.executable?.isProtected = ProtectedFile.isProtected(executable.path) }
      let running = FileStatus("/proc/\(pid)/exe")
      process.isRootsProgram =
        running?.isRootOnly == true && (!isOutside || isRootsPath(process.executable ?? executable))
      process.isClient = isClient(executable, running, isRoots: process.isRootsProgram)
    }
    process.workingDirectory = Paths.target(ofLink: "/proc/\(pid)/cwd")
    process.user = FileStatus("/proc/\(pid)")?.owner ?? .max
    return process
  }

  package func ancestor(_ pid: Int32) -> ProcessSnapshot? {
    guard let stat = ProcessStat(of: pid) else { return nil }
    let (executable, isGone) = executable(of: pid)
    return ProcessSnapshot(
      identity: ProcessIdentity(pid: pid, startTime: stat.startTime), parent: stat.parent, name: stat.name,
      executable: executable, isExecutableGone: isGone, arguments: arguments(of: pid), isFork: stat.isFork,
      terminal: stat.terminal, mountNamespace: Self.mountNamespace(of: String(pid)),
      readsTerminal: stat.terminal.map { Paths.target(ofLink: "/proc/\(pid)/fd/0") == "/dev/\($0)" } ?? false)
  }

  /// Whether only root can have put a file at this path. The folders of a sandbox belong to the user who created it, so
  /// only the file itself is checked in a sandbox.
  private func isRootsPath(_ executable: SeenFile) -> Bool {
    executable.isProtected
      || ProtectedFile.isProtected(String(executable.path.dropLast(executable.name.count)))
  }

  /// Whether a process runs the `permtui` command of this installation: the same file, a newer file at the
  /// same path after an update, or a `permtui` that root installed.
  ///
  /// - Parameter running: The file that the process runs.
  private func isClient(_ executable: SeenFile, _ running: FileStatus?, isRoots: Bool) -> Bool {
    if isRoots, executable.name == "permtui" { return true }
    guard let client, let ours = own ?? FileStatus(client), let running else { return false }
    if ours.isSame(as: running) { return true }
    let path = Paths.target(ofLink: client) ?? client
    return executable.path == (path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path)
  }

  /// Returns the file that a process runs, and whether the file is no longer at its path.
  private func executable(of pid: Int32) -> (file: SeenFile?, isGone: Bool) {
    let link = "/proc/\(pid)/exe"
    guard let path = Paths.target(ofLink: link), let file = FileIdentity(ofFileAt: link) else {
      return (nil, false)
    }
    // The kernel appends this mark to the path of a removed file. However, a file's real name might also end this way.
    let mark = " (deleted)"
    guard path.hasSuffix(mark), FileIdentity(ofFileAt: "/proc/\(pid)/root\(path)") != file else {
      return (SeenFile(path: path, identity: file), false)
    }
    return (SeenFile(path: String(path.dropLast(mark.count)), identity: file), true)
  }

  private func arguments(of pid: Int32) -> [String] {
    guard var bytes = try? Files.bytes(ofProcess: "/proc/\(pid)/cmdline", limit: 65_536) else { return [] }
    if bytes.last == 0 { bytes.removeLast() }
    guard !bytes.isEmpty else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns the file that a process sees at a path, with symbolic links resolved.
  fileprivate func file(at path: String, seenBy pid: Int32) -> SeenFile? {
    guard let (resolved, birth) = FileBirth.find("/proc/\(pid)/root\(path)") else { return nil }
    return SeenFile(
      path: resolved, identity: FileIdentity(birth), isProtected: ProtectedFile.isProtected(resolved))
  }

  /// Returns the folder in which a process was started, according to `PWD` in its environment.
  private func startFolder(of pid: Int32) -> String? {
    guard let bytes = try? Files.bytes(of: "/proc/\(pid)/environ", limit: 131_072) else { return nil }
    let prefix = Array("PWD=".utf8)
    let entry = bytes.split(separator: 0).first { $0.starts(with: prefix) }
    return entry.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
  }

  private static func mountNamespace(of process: String) -> UInt64? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return Namespace.mount.text(of: process).flatMap {
      UInt64(String(decoding: $0.utf8.filter(digits.contains), as: UTF8.self))
    }
  }
}

// MARK: Scripts

extension LinuxProcessTable {
  package func script(named argument: String, givenTo process: ProcessSnapshot) -> FoundScript? {
    let named = files(named: argument, givenTo: process)
    if process.isShell, let held = heldScript(named: argument.lastPathPart, by: process, among: named) {
      let isNamed = named.isEmpty || named.contains { $0.identity == held.identity }
      let doubt =
        "\(process.displayName) was started with \(argument), and has another file open as its script"
      return FoundScript(file: held, doubt: isNamed ? nil : doubt)
    }
    guard let first = named.first else { return nil }
    if named.count > 1 {
      let places = named.map(\.path).joined(separator: " or ")
      return FoundScript(file: first, doubt: "it is not known whether \(argument) is \(places)")
    }
    if !isStartCertain(of: argument, givenTo: process) {
      return FoundScript(
        file: first,
        doubt:
          "it is not known in which folder \(process.displayName) was started, and so which \(argument) is meant"
      )
    }
    if first.isYounger(than: process.identity) {
      return FoundScript(
        file: first, doubt: "\(first.path) was put there after process \(process.pid) had started")
    }
    return FoundScript(file: first)
  }

  /// Whether an argument is an absolute path, or the process works in the folder that its environment names as the one in
  /// which it was started. Programs that start others in a folder often leave `PWD` as it was.
  private func isStartCertain(of argument: String, givenTo process: ProcessSnapshot) -> Bool {
    if argument.hasPrefix("/") || process.isMake { return true }
    guard let start = startFolder(of: process.pid), start.hasPrefix("/"),
      let named = FileStatus("/proc/\(process.pid)/root\(start)"),
      let now = FileStatus("/proc/\(process.pid)/cwd")
    else { return false }
    return named.isSame(as: now)
  }

  /// Returns the files that an argument might name, relative to the folder in which the process was started or to its
  /// current working folder.
  private func files(named argument: String, givenTo process: ProcessSnapshot) -> [SeenFile] {
    // Such paths lead each process to files of its own, so this process would find the wrong ones.
    if argument.hasPrefix("/dev/") || argument.hasPrefix("/proc/") { return [] }
    if argument.hasPrefix("/") { return file(at: argument, seenBy: process.pid).map { [$0] } ?? [] }
    // For make, only the current folder matters, because `-C` changes the folder before any makefile is read.
    let start = process.isMake ? nil : startFolder(of: process.pid)
    let now = process.workingDirectory
    let folders = [start, now == start ? nil : now].compactMap(\.self)
    let found = folders.compactMap { file(at: "\($0)/\(argument)", seenBy: process.pid) }
    return found.count == 2 && found[0].identity == found[1].identity ? [found[0]] : found
  }

  /// Returns the script file that a shell keeps open while reading it. bash uses descriptor 255, which scripts cannot
  /// use. Other shells use any descriptor above nine. Scripts can open files there, too, so for these shells, the file
  /// must also be one of `named` or have the script's name.
  private func heldScript(
    named name: String, by process: ProcessSnapshot, among named: [SeenFile]
  ) -> SeenFile? {
    if ["bash", "rbash"].contains(process.displayName) { return heldFile(255, by: process.pid) }
    let held = Folder.names(in: "/proc/\(process.pid)/fd").compactMap { Int32($0) }.filter { $0 >= 10 }
      .sorted()
      .compactMap { heldFile($0, by: process.pid) }
    return held.first { file in named.contains { $0.identity == file.identity } }
      ?? held.first { $0.name == name }
  }

  private func heldFile(_ descriptor: Int32, by pid: Int32) -> SeenFile? {
    let link = "/proc/\(pid)/fd/\(descriptor)"
    guard let path = Paths.target(ofLink: link), let status = FileStatus(link), status.kind == .file,
      let file = FileIdentity(ofFileAt: link)
    else { return nil }
    return SeenFile(path: path, identity: file, isProtected: ProtectedFile.isProtected(path))
  }
}

extension ProcessSnapshot {
  fileprivate var isMake: Bool { ["make", "gmake"].contains(displayName) }
}

extension SeenFile {
  /// The tolerance, in nanoseconds, for comparing times. Clocks and file systems round their times, and a script can be
  /// started immediately after it was written.
  private static let tolerance: Int64 = 1_000_000_000

  /// Whether the file was created after a process had started.
  fileprivate func isYounger(than process: ProcessIdentity) -> Bool {
    guard identity.birth > 0 else { return false }
    let boot = SystemClock.wall.nanoseconds - SystemClock.boot.nanoseconds
    let start = boot + Int64(clamping: process.startTime) * SystemClock.nanosecondsPerTick
    return identity.birth - Self.tolerance > start
  }
}

/// A source of information about the processes of this machine. Tests replace it with process trees of their own.
package protocol ProcessTable: Sendable {
  /// The number of the mount namespace that this process runs in; `nil` if it cannot be read.
  var mountNamespace: UInt64? { get }

  /// Reads the facts about a process. Returns `nil` if the process does not exist or cannot be examined at all.
  func process(_ pid: Int32) -> ProcessSnapshot?

  /// Reads those facts about a process by which it is named as an ancestor of a program that is known already: what it
  /// runs, and which process started it. The others are left out.
  func ancestor(_ pid: Int32) -> ProcessSnapshot?

  /// Finds the script that a process was given on its command line. Returns `nil` if the script can no longer be found.
  func script(named argument: String, givenTo process: ProcessSnapshot) -> FoundScript?
}

extension ProcessTable {
  package func ancestor(_ pid: Int32) -> ProcessSnapshot? { process(pid) }
}
