import CLinux
import Glibc

/// The lookup of a path in the view of the process that spelled it. Only the kernel follows links and `..`.
///
/// A lookup can block forever in a file system that no longer answers, so ``PathResolver`` limits its time.
struct PathLookup: ~Copyable {
  private let spelled: [UInt8]
  /// The folder at which the lookup starts: the root folder of the process, or its working folder.
  private let start: PathDescriptor
  private let startPath: [UInt8]
  private let rules: Int32

  /// Finds the file that a process means by a path.
  ///
  /// - Parameter startTime: The start of the process, which distinguishes it from a later process with the same number.
  static func resolve(
    _ spelled: [UInt8], by process: Int32, startedAt startTime: UInt64
  ) throws(PathDoubt) -> ResolvedPath {
    guard !spelled.isEmpty, !spelled.contains(0) else { throw .notAPath }
    let lookup = try begin(spelled, by: process, startedAt: startTime)
    do throws(PathDoubt) {
      return try lookup.existingEntry()
    } catch .missing {
      return try lookup.newEntry()
    }
  }

  private static func begin(
    _ spelled: [UInt8], by process: Int32, startedAt startTime: UInt64
  ) throws(PathDoubt) -> PathLookup {
    let isAbsolute = spelled.first == ResolvedPath.slash
    let start = try open(isAbsolute ? "root" : "cwd", of: process)
    // The kernel has no rule for a start below the root, so both processes must have the same root.
    let hasOurRoot = isAbsolute ? true : try open("root", of: process).isOurRoot
    let mounts = FileStatus("/proc/\(process)/ns/mnt")
    // All three belong to the right process if it still runs now, because its number is not reused before it ends.
    guard let stat = ProcessStat(of: process), stat.isRunning, stat.startTime == startTime else {
      throw .processEnded
    }
    guard let mounts, let ours = FileStatus("/proc/self/ns/mnt") else { throw .notPermitted }
    guard mounts.isSame(as: ours) else { throw .otherMounts }
    guard hasOurRoot else { throw .otherRoot }
    let startPath = try start.path()
    let rules = RESOLVE_NO_MAGICLINKS | (isAbsolute ? RESOLVE_IN_ROOT : 0)
    return PathLookup(spelled: spelled, start: start, startPath: startPath, rules: rules)
  }

  private static func open(_ link: String, of process: Int32) throws(PathDoubt) -> PathDescriptor {
    do throws(PathDoubt) {
      return try PathDescriptor("/proc/\(process)/\(link)".utf8)
    } catch .missing {
      throw .processEnded
    }
  }

  private borrowing func existingEntry() throws(PathDoubt) -> ResolvedPath {
    let entry = try PathDescriptor(spelled, from: start.number, rules: rules)
    try entry.checkFileSystem()
    let (path, status) = try entry.place()
    return resolved(path, status)
  }

  /// Returns the path of a file that does not exist yet, in a folder that exists.
  private borrowing func newEntry() throws(PathDoubt) -> ResolvedPath {
    let slash = ResolvedPath.slash
    guard let name = spelled.split(separator: slash).last, !name.elementsEqual(".".utf8),
      !name.elementsEqual("..".utf8)
    else { throw .missing }
    let folder = try PathDescriptor(
      spelled[..<name.startIndex] + ".".utf8, from: start.number, flags: O_DIRECTORY, rules: rules)
    try folder.checkFileSystem()
    try Self.checkAbsence(of: name, in: folder)
    let path = try folder.path()
    return resolved((path == [slash] ? path : path + [slash]) + name, nil)
  }

  /// Throws a doubt if a folder has an entry with this name. Such an entry is usually a link to a missing file: writing
  /// to the link would create that file somewhere else.
  private static func checkAbsence(
    of name: some Collection<UInt8>, in folder: borrowing PathDescriptor
  ) throws(PathDoubt) {
    do throws(PathDoubt) {
      let found = try PathDescriptor(name, from: folder.number, flags: O_NOFOLLOW)
      throw found.status?.kind == .link ? .danglingLink : .moved
    } catch .missing {}
  }

  private borrowing func resolved(_ path: [UInt8], _ entry: FileStatus?) -> ResolvedPath {
    ResolvedPath(
      path: path, spelling: ResolvedPath.spelling(spelled, from: startPath), entry: entry,
      written: ResolvedPath.written(spelled, from: startPath))
  }
}
