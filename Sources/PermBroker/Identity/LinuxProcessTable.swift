import CLinux
import Glibc
import PermModel

/// The processes of this machine, as `/proc` shows them.
package struct LinuxProcessTable: ProcessTable {
  package let mountNamespace: UInt64?

  package init() {
    mountNamespace = Self.namespace("mnt", of: "self")
  }

  package func process(_ pid: Int32) -> ProcessSnapshot? {
    guard let stat = readBytes("/proc/\(pid)/stat", atMost: 4096).flatMap(ProcessStat.init) else {
      return nil
    }
    let (executable, isGone) = executable(of: pid)
    return ProcessSnapshot(
      identity: ProcessIdentity(pid: pid, startTime: stat.startTime), parent: stat.parent, name: stat.name,
      executable: executable, isExecutableGone: isGone, arguments: arguments(of: pid), isFork: stat.isFork,
      terminal: stat.terminal, workingDirectory: readLink("/proc/\(pid)/cwd"),
      mountNamespace: Self.namespace("mnt", of: String(pid)))
  }

  package func file(named argument: String, givenTo process: ProcessSnapshot) -> SeenFile? {
    if argument.hasPrefix("/") { return file(at: argument, seenBy: process.pid) }
    // A shell keeps its script open, so the descriptor tells where it is even after `cd`.
    if process.isShell, let held = heldScript(named: argument.lastPathPart, by: process.pid) { return held }
    // Others are asked where they are now, and then where they were started.
    let folders = [process.workingDirectory, environment("PWD", of: process.pid)]
    return folders.lazy.compactMap { $0 }.compactMap { file(at: "\($0)/\(argument)", seenBy: process.pid) }
      .first
  }

  /// The file that a process runs, and whether it is gone from its path.
  private func executable(of pid: Int32) -> (file: SeenFile?, isGone: Bool) {
    let link = "/proc/\(pid)/exe"
    guard let path = readLink(link), let file = FileIdentity(ofFileAt: link) else { return (nil, false) }
    // The kernel marks a file that is gone, but a name may also end like this.
    let mark = " (deleted)"
    guard path.hasSuffix(mark), FileIdentity(ofFileAt: "/proc/\(pid)/root\(path)") != file else {
      return (SeenFile(path: path, identity: file), false)
    }
    return (SeenFile(path: String(path.dropLast(mark.count)), identity: file), true)
  }

  private func arguments(of pid: Int32) -> [String] {
    guard var bytes = readBytes("/proc/\(pid)/cmdline", atMost: 65_536) else { return [] }
    if bytes.last == 0 { bytes.removeLast() }
    guard !bytes.isEmpty else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The file of that path in the process's own tree, with symbolic links resolved.
  private func file(at path: String, seenBy pid: Int32) -> SeenFile? {
    let descriptor = open("/proc/\(pid)/root\(path)", open_path_only | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let resolved = readLink("/proc/self/fd/\(descriptor)"), let file = FileIdentity(of: descriptor)
    else { return nil }
    return SeenFile(path: resolved, identity: file)
  }

  /// Shells read their script through a descriptor above nine that they keep open.
  private func heldScript(named name: String, by pid: Int32) -> SeenFile? {
    let folder = "/proc/\(pid)/fd"
    for descriptor in folderEntries(folder).compactMap({ Int32($0) }).filter({ $0 >= 10 }).sorted() {
      let link = "\(folder)/\(descriptor)"
      guard let path = readLink(link), path.lastPathPart == name, let status = fileStatus(link),
        status.st_mode & S_IFMT == S_IFREG, let file = FileIdentity(ofFileAt: link)
      else { continue }
      return SeenFile(path: path, identity: file)
    }
    return nil
  }

  private func environment(_ name: String, of pid: Int32) -> String? {
    guard let bytes = readBytes("/proc/\(pid)/environ", atMost: 131_072) else { return nil }
    let prefix = Array("\(name)=".utf8)
    let entry = bytes.split(separator: 0).first { $0.starts(with: prefix) }
    return entry.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
  }

  private static func namespace(_ kind: String, of process: String) -> UInt64? {
    guard let link = readLink("/proc/\(process)/ns/\(kind)"), let bracket = link.firstIndex(of: "[") else {
      return nil
    }
    return UInt64(link[link.index(after: bracket)...].dropLast())
  }
}
