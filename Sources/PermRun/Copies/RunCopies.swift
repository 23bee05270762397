import CFuse
import CWalls
import Machine
import PermModel

/// The folder in which a run keeps its private copies: beside the store, where programs behind walls see nothing. It is gone
/// with the run; if the warden was killed, the next run with copies removes it.
final class RunCopies: Sendable {
  /// The layers as they are at the start.
  let layers: CopyLayers
  private let settings: [AbsolutePath]
  private let base: String
  private let name: String
  /// Locked as long as this process lives.
  private let descriptor: Int32

  /// - Parameter settings: Files of which the person is told if they were changed in the copy.
  init(
    besideStore store: String, _ covers: [CopyCover], settings: [AbsolutePath]
  ) throws(Failure) {
    self.settings = settings
    base = Paths.absolute(store).folderOfPath + "/run-copies"
    guard (try? Folder.make(base.folderOfPath)) != nil else { throw .last }
    Folder.makeOne(base)
    (name, descriptor) = try Self.make(in: base)
    do throws(Failure) { layers = try Self.layers(covers, in: descriptor) } catch {
      LeftoverTree.remove(name, in: base)
      close(descriptor)
      throw error
    }
    BlockingThread.start { [base] in Self.removeLeftovers(in: base) }
  }

  deinit { close(descriptor) }

  private static func make(in base: String) throws(Failure) -> (String, Int32) {
    let name = RandomID.make()
    let path = "\(base)/\(name)"
    try checked(mkdir(path, 0o700))
    let descriptor = try checked(walls_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0))
    // Another run may have taken it for a leftover before it was locked.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, !NodeTable.isForeign(descriptor), access(path, W_OK) == 0
    else {
      close(descriptor)
      throw Failure(EAGAIN)
    }
    return (name, descriptor)
  }

  /// The settings that the run has changed in its copy.
  var changedSettings: [AbsolutePath] {
    settings.filter { file in
      guard let own = layers.own(file.bytes), let copy = Self.contents(own) else { return false }
      return copy != Self.contents(file.bytes)
    }
  }

  private static func contents(_ path: [UInt8]) -> [UInt8]? {
    guard let text = String(validating: path, as: UTF8.self), FileStatus(path)?.kind == .file else {
      return nil
    }
    return try? Files.bytes(of: text, limit: 16 << 20, followingLinks: false)
  }

  /// Removes the folder and all that is in it.
  func remove() { LeftoverTree.remove(name, in: base) }

  private static func removeLeftovers(in base: String) {
    for name in Folder.names(in: base) {
      let folder = walls_open(AT_FDCWD, "\(base)/\(name)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)
      guard folder >= 0 else { continue }
      if flock(folder, LOCK_EX | LOCK_NB) == 0 { LeftoverTree.remove(name, in: base) }
      close(folder)
    }
  }
}

// MARK: - Layers

extension RunCopies {
  /// Makes a folder of the run for each folder outside of which something is covered.
  private static func layers(_ covers: [CopyCover], in folder: Int32) throws(Failure) -> CopyLayers {
    var twins: [AbsolutePath: CopyLayers.Twin] = [:]
    for cover in covers {
      let outside = if case .inside = cover.reach { cover.path } else { cover.path.parent }
      guard let outside else { continue }
      if twins[outside] == nil { twins[outside] = try makeTwin(of: outside, "\(twins.count)", in: folder) }
      twins[outside]?.names.insert(cover)
      if let twin = twins[outside] { try makeMissing(cover, in: twin) }
    }
    return CopyLayers(Array(twins.values))
  }

  private static func makeTwin(
    of outside: AbsolutePath, _ name: String, in folder: Int32
  ) throws(Failure) -> CopyLayers.Twin {
    let path = outside.bytes.map { CChar(bitPattern: $0) } + [0]
    let covered = try checked(walls_open_exactly(path))
    defer { close(covered) }
    try checked(mkdirat(folder, name, 0o700))
    let own = try checked(walls_open_node(folder, name))
    guard let bytes = Paths.targetBytes(ofLink: "/proc/self/fd/\(own)"), let place = try? AbsolutePath(bytes)
    else { throw .stale }
    return CopyLayers.Twin(
      folder: outside, identity: FileKey(try NodeTable.status(covered)), own: place,
      ownIdentity: FileKey(try NodeTable.status(own)), descriptor: own)
  }

  /// A folder that is not there yet is there for the run, so that nothing has to be made outside.
  private static func makeMissing(_ cover: CopyCover, in twin: CopyLayers.Twin) throws(Failure) {
    let outside = cover.path.bytes.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard cover.reach == .folder, lstat(outside, &status) != 0 else { return }
    let name = cover.path.lastName.map { CChar(bitPattern: $0) } + [0]
    try checked(mkdirat(twin.descriptor, name, 0o755))
  }
}

// MARK: - Removing

/// A folder that a program has filled, however deep. It is removed without following a link, and with few descriptors.
enum LeftoverTree {
  static func remove(_ name: String, in base: String) {
    let path = "\(base)/\(name)"
    let root = walls_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)
    if root >= 0 {
      var number = 0
      while empty(root, &number) {}
      close(root)
    }
    rmdir(path)
  }

  /// Removes the entries of the root. Folders in them come to lie in the root itself, so that no path grows long. Returns
  /// whether something was removed or moved.
  private static func empty(_ root: Int32, _ number: inout Int) -> Bool {
    var hasChanged = false
    for name in names(in: root) {
      let folder = open(name, in: root)
      if folder >= 0 {
        for entry in names(in: folder) where unlinkat(folder, entry, 0) != 0 {
          // A folder that may not be written cannot be moved.
          close(open(entry, in: folder))
          number += 1
          if walls_rename(folder, entry, root, "moved-\(number)", 1) == 0 { hasChanged = true }
        }
        close(folder)
        if unlinkat(root, name, AT_REMOVEDIR) == 0 { hasChanged = true }
      } else if unlinkat(root, name, 0) == 0 {
        hasChanged = true
      }
    }
    return hasChanged
  }

  /// Opens a folder, after making sure that its entries can be removed; -1 if it is none.
  private static func open(_ name: [CChar], in parent: Int32) -> Int32 {
    let node = walls_open_node(parent, name)
    guard node >= 0 else { return -1 }
    defer { close(node) }
    guard (try? NodeTable.status(node))?.isFolder == true else { return -1 }
    chmod("/proc/self/fd/\(node)", 0o700)
    return walls_reopen(node, O_RDONLY | O_DIRECTORY)
  }

  private static func names(in folder: Int32) -> [[CChar]] {
    guard let list = try? FolderList(node: folder) else { return [] }
    var names: [[CChar]] = []
    while let entry = list.next() {
      guard let text = entry.name, let name = try? Name(text) else { continue }
      names.append(name.bytes.map { CChar(bitPattern: $0) } + [0])
    }
    return names
  }
}
