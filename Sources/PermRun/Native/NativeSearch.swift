import CFuse
import CWalls
import PermModel

/// A search through a folder for what counts beyond it. It goes by descriptors, follows no link, and holds few folders open
/// at once, however deep a program has nested them.
struct NativeSearch {
  private let path: AbsolutePath
  private let protected: ProtectedNames
  private let device: UInt
  private let root: Int32
  private(set) var findings: NativeFindings
  /// The files with several names: how many of them were found.
  private var linked: [FileKey: Linked] = [:]
  private var open: [Level] = []

  private struct Linked {
    var found: UInt
    var all: UInt
    var path: [UInt8]
    /// How many of those that were found are protected.
    var protected: UInt = 0
  }

  /// A folder in which the search is.
  private struct Level {
    var list: FolderList
    /// Its path below the folder that is searched.
    var path: [UInt8]
    /// Whether it is protected, with all that is in it.
    var isProtected = false

    func entry(_ name: [UInt8]) -> [UInt8] { path.isEmpty ? name : path + [0x2f] + name }
  }

  private static let deepest = 100

  /// - Parameters:
  ///   - folder: A descriptor of the folder.
  ///   - path: Its path.
  init(_ folder: Int32, at path: AbsolutePath, _ protected: ProtectedNames, into findings: NativeFindings) {
    (self.path, self.protected, self.findings, root) = (path, protected, findings, folder)
    device = (try? NodeTable.status(folder)).map { FileKey($0).device } ?? 0
  }

  mutating func run() {
    enter(walls_reopen(root, O_RDONLY | O_DIRECTORY), [])
    while let level = open.last {
      guard let entry = level.list.next(), let text = entry.name else {
        open.removeLast()
        continue
      }
      // The names of the folder itself and of the one above are none.
      guard let name = try? Name(text) else { continue }
      look(at: name, in: level)
    }
    for file in linked.values {
      if file.found < file.all {
        findings.add(.otherName, file.path)
      } else if file.protected > 0, file.protected < file.found {
        // A change of the file by its other name is a change of the protected one.
        findings.add(.protectedOtherName, file.path)
      }
    }
  }

  private mutating func enter(_ descriptor: Int32, _ path: [UInt8], isProtected: Bool = false) {
    guard descriptor >= 0, let list = try? FolderList(descriptor: descriptor) else {
      return findings.add(.unreadable, path)
    }
    open.append(Level(list: list, path: path, isProtected: isProtected))
  }

  private mutating func look(at name: Name, in level: Level) {
    let path = level.entry(name.bytes)
    let status: stat
    do throws(Failure) { status = try NodeTable.status(of: name, in: level.list.descriptor) } catch {
      // Somebody outside may have removed it since.
      if error.code != ENOENT { findings.add(.unreadable, path) }
      return
    }
    let isProtected = level.isProtected || isProtected(path)
    if isProtected, !level.isProtected { noteProtected(status, path) }
    // Files can have the number of a disk below that of their file system.
    guard !status.isFolder || FileKey(status).device == device else {
      return findings.add(.otherFileSystem, path)
    }
    if status.st_mode & UInt32(S_ISUID | S_ISGID) != 0, !status.isFolder { findings.add(.changesUser, path) }
    switch status.st_mode & UInt32(S_IFMT) {
    case UInt32(S_IFDIR): goDown(to: name, path, from: level, isProtected)
    case UInt32(S_IFREG): note(status, path, isProtected)
    case UInt32(S_IFLNK): if leadsOut(path) { findings.add(.leadsOut, path) }
    case UInt32(S_IFSOCK): findings.add(.socket, path)
    case UInt32(S_IFIFO): findings.add(.pipe, path)
    default: findings.add(.device, path)
    }
  }

  private mutating func noteProtected(_ status: stat, _ path: [UInt8]) {
    let isLink = status.st_mode & UInt32(S_IFMT) == UInt32(S_IFLNK)
    findings.add(isLink ? .protectedLink : .protectedName, path, NativeFinding.State(status))
  }

  /// A path that is too long for the kernel cannot be asked about either.
  private func isProtected(_ path: [UInt8]) -> Bool {
    guard let whole = try? AbsolutePath(self.path.bytes + [0x2f] + path) else { return false }
    return protected.contain(whole)
  }

  private mutating func goDown(
    to name: Name, _ path: [UInt8], from level: Level, _ isProtected: Bool
  ) {
    guard open.count < Self.deepest else { return findings.add(.tooDeep, path) }
    let folder = try? name.with { text throws(Failure) in
      try checked(walls_open(level.list.descriptor, text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0))
    }
    enter(folder ?? -1, path, isProtected: isProtected)
  }

  private mutating func note(_ status: stat, _ path: [UInt8], _ isProtected: Bool) {
    guard status.st_nlink > 1 else { return }
    let file = linked[FileKey(status)]
    linked[FileKey(status)] = Linked(
      found: (file?.found ?? 0) + 1, all: UInt(status.st_nlink),
      path: isProtected ? path : file?.path ?? path,
      protected: (file?.protected ?? 0) + (isProtected ? 1 : 0))
  }

  private func leadsOut(_ path: [UInt8]) -> Bool {
    let text = path.map { CChar(bitPattern: $0) } + [0]
    return walls_leads_out(root, text) != 0
  }
}
