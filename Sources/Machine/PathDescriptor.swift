import CLinux
import Glibc

/// A descriptor that refers to a file without opening it. It is closed at the end of its life.
struct PathDescriptor: ~Copyable {
  let number: Int32

  /// Looks a path up. The kernel can refuse while folders on the way are being moved, so it is asked repeatedly.
  ///
  /// - Parameters:
  ///   - folder: The descriptor of the folder in which a relative path starts.
  ///   - flags: Flags of `open`, in addition to those that every such descriptor has.
  ///   - rules: The rules for the way to the file, as `openat2` defines them.
  init(
    _ path: some Collection<UInt8>, from folder: Int32 = AT_FDCWD, flags: Int32 = 0, rules: Int32 = 0
  ) throws(PathDoubt) {
    let path = Array(path) + [0]
    var result: Int32
    var attempts = 0
    repeat {
      result = open_by_rules(folder, path, open_path_only | O_CLOEXEC | flags, UInt64(rules))
      attempts += 1
    } while result < 0 && (errno == EAGAIN || errno == EINTR) && attempts < 100
    guard result >= 0 else { throw PathDoubt(code: errno) }
    number = result
  }

  deinit { close(number) }

  /// Looks a path up that starts in this folder.
  borrowing func open(_ path: [UInt8], rules: Int32) throws(PathDoubt) -> PathDescriptor {
    try PathDescriptor(path, from: number, rules: rules)
  }

  var status: FileStatus? { FileStatus(of: number) }

  /// Whether this is the root folder of this process.
  var isOurRoot: Bool {
    guard let status, let ours = FileStatus("/"), status.isSame(as: ours) else { return false }
    return text == [ResolvedPath.slash]
  }

  /// The path that the kernel provides for the file.
  var text: [UInt8]? { Paths.targetBytes(ofLink: "/proc/self/fd/\(number)") }

  func path() throws(PathDoubt) -> [UInt8] { try place().path }

  /// Returns the path and the status of the file, after making sure that the path leads to this file: the kernel also
  /// provides a path for a file that has been removed, or that lies below a file system mounted later.
  func place() throws(PathDoubt) -> (path: [UInt8], status: FileStatus) {
    guard let path = text else { throw PathDoubt(code: errno) }
    guard path.first == ResolvedPath.slash else { throw .moved }
    do throws(PathDoubt) {
      let found = try PathDescriptor(path, flags: O_NOFOLLOW, rules: RESOLVE_NO_SYMLINKS)
      guard let status, let other = found.status, status.isSame(as: other) else { throw .moved }
      return (path, status)
    } catch .missing, .notAFolder, .endlessLinks {
      throw .moved
    }
  }

  /// Throws a doubt unless the file system is of a kind in which a path means the same file to every process, now and
  /// later.
  func checkFileSystem() throws(PathDoubt) {
    var system = statfs()
    guard fstatfs(number, &system) == 0 else { throw PathDoubt(code: errno) }
    let kind = UInt32(truncatingIfNeeded: system.f_type)
    if kind == PROC_SUPER_MAGIC { throw .inProc }
    guard OrdinaryFileSystems.contain(kind) else { throw .unknownFileSystem }
  }
}

/// The kinds of ordinary file systems, in which a path means the same file to every process. Those of networks and FUSE
/// are absent, because another program answers for them.
package enum OrdinaryFileSystems {
  package static func contain(_ kind: UInt32) -> Bool { kinds.contains(kind) }

  private static let kinds: Set<UInt32> = [
    UInt32(EXT4_SUPER_MAGIC), UInt32(XFS_SUPER_MAGIC), UInt32(BTRFS_SUPER_MAGIC), UInt32(F2FS_SUPER_MAGIC),
    UInt32(TMPFS_MAGIC), UInt32(OVERLAYFS_SUPER_MAGIC), zfs,
  ]
  /// Linux does not contain ZFS, so its headers do not name it.
  private static let zfs: UInt32 = 0x2fc1_2fc1
}
