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
  static func resolve(_ spelled: [UInt8], in view: ProcessView) throws(PathDoubt) -> ResolvedPath {
    guard !spelled.isEmpty, !spelled.contains(0) else { throw .notAPath }
    if let entry = try? plainEntry(spelled, in: view) { return entry }
    let lookup = try begin(spelled, in: view)
    do throws(PathDoubt) {
      return try lookup.existingEntry()
    } catch .missing {
      return try lookup.newEntry()
    }
  }

  private static func begin(_ spelled: [UInt8], in view: ProcessView) throws(PathDoubt) -> PathLookup {
    let isAbsolute = spelled.first == ResolvedPath.slash
    let start = isAbsolute ? try view.root() : try view.workingFolder()
    // The kernel has no rule for a start below the root, so both processes must have the same root.
    let hasOurRoot = isAbsolute ? true : try view.root().isOurRoot
    try view.checkMounts()
    guard hasOurRoot else { throw .otherRoot }
    let startPath = try start.path()
    let rules = RESOLVE_NO_MAGICLINKS | (isAbsolute ? RESOLVE_IN_ROOT : 0)
    return PathLookup(spelled: spelled, start: start, startPath: startPath, rules: rules)
  }

  /// Returns the file at a path without links, `.` and `..`, with half as many system calls as the usual way; `nil` if
  /// the path must be looked up in that way.
  private static func plainEntry(_ spelled: [UInt8], in view: ProcessView) throws(PathDoubt) -> ResolvedPath?
  {
    guard view.hasOurRoot else { return nil }
    let entry = try openPlain(spelled, in: view)
    try entry.checkFileSystem()
    guard let path = entry.text, path.isSpelled(spelled), let status = entry.status else { return nil }
    // An absolute path has just led to the file. A working folder can have been removed, or covered by a mount.
    guard path == spelled || FileStatus(path, followingLinks: false)?.isSame(as: status) == true else {
      return nil
    }
    return ResolvedPath(path: path, spelling: path, entry: status)
  }

  private static func openPlain(_ spelled: [UInt8], in view: ProcessView) throws(PathDoubt) -> PathDescriptor
  {
    // Both processes have the same root, so an absolute path can start in this one's.
    if spelled.first == ResolvedPath.slash { return try PathDescriptor(spelled, rules: RESOLVE_NO_SYMLINKS) }
    return try view.workingFolder().open(spelled, rules: RESOLVE_NO_SYMLINKS)
  }

  private borrowing func existingEntry() throws(PathDoubt) -> ResolvedPath {
    let entry = try PathDescriptor(spelled, from: start.number, rules: rules)
    try entry.checkFileSystem()
    let (path, status) = try entry.place()
    return resolved(path, status)
  }

  /// The greatest number of names on a path that do not exist yet.
  private static let mostNewNames = 64

  /// Returns the path of a file that does not exist yet. Folders on the way need not exist either: behind the last one
  /// that does, plain names can mean only one thing.
  private borrowing func newEntry() throws(PathDoubt) -> ResolvedPath {
    let names = spelled.split(separator: ResolvedPath.slash)
    for count in 1...Self.mostNewNames {
      let new = names.suffix(count)
      guard new.count == count, let first = new.first, !first.isDots else { throw .missing }
      do throws(PathDoubt) {
        return resolved(try newPath(of: new, startingAt: first), nil)
      } catch .missing {
        // The folder in front of these names does not exist either.
      }
    }
    throw .missing
  }

  /// Returns the path of names that do not exist yet, in a folder that exists.
  private borrowing func newPath(
    of names: ArraySlice<ArraySlice<UInt8>>, startingAt first: ArraySlice<UInt8>
  ) throws(PathDoubt) -> [UInt8] {
    let folder = try PathDescriptor(
      spelled[..<first.startIndex] + ".".utf8, from: start.number, flags: O_DIRECTORY, rules: rules)
    try folder.checkFileSystem()
    try Self.checkAbsence(of: first, in: folder)
    let path = try folder.path()
    return names.reduce(path == [ResolvedPath.slash] ? [] : path) { $0 + [ResolvedPath.slash] + $1 }
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

extension [UInt8] {
  /// Whether this absolute path without `.` and `..` is exactly what was spelled, or a folder followed by it.
  fileprivate func isSpelled(_ spelled: [UInt8]) -> Bool {
    guard spelled.first != ResolvedPath.slash else { return self == spelled }
    let folder = count - spelled.count - 1
    return folder >= 0 && self[folder] == ResolvedPath.slash && self[(folder + 1)...].elementsEqual(spelled)
  }
}

extension ArraySlice<UInt8> {
  /// Whether the name stands for a folder itself, or for the one above it.
  fileprivate var isDots: Bool { elementsEqual(".".utf8) || elementsEqual("..".utf8) }
}
