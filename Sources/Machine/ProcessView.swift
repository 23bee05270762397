import CLinux
import Glibc

/// A process's view of the file system: its root folder, its working folder and its mounts, as they are at each look.
///
/// The descriptor of the folder in `/proc` always belongs to this process. After the process has ended, nothing can be
/// found through the descriptor, even if a later process gets the same number.
package final class ProcessView: Sendable {
  private let folder: Result<Int32, PathDoubt>

  /// - Parameter startTime: The start of the process, which distinguishes it from a later process with the same number.
  package init(of process: Int32, startedAt startTime: UInt64) {
    folder = Result { () throws(PathDoubt) in
      let folder = Glibc.open("/proc/\(process)", open_path_only | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { throw Self.ended(PathDoubt(code: errno)) }
      // The folder belongs to the right process if that one still runs now.
      guard let stat = ProcessStat(of: process), stat.isRunning, stat.startTime == startTime else {
        close(folder)
        throw .processEnded
      }
      return folder
    }
  }

  deinit { if case .success(let folder) = folder { close(folder) } }

  /// Whether the process was found when this view was made.
  package var isFound: Bool { if case .success = folder { true } else { false } }

  func root() throws(PathDoubt) -> PathDescriptor { try open("root") }

  func workingFolder() throws(PathDoubt) -> PathDescriptor { try open("cwd") }

  /// Throws a doubt if the process is in another mount namespace than this one.
  func checkMounts() throws(PathDoubt) {
    guard let theirs = FileStatus("ns/mnt", in: try folder.get()), let ours = Self.ownMounts else {
      throw .notPermitted
    }
    guard theirs.isSame(as: ours) else { throw .otherMounts }
  }

  /// Whether it is certain that the process has the same root folder as this one. It is not if the kernel does not tell
  /// mounts apart.
  ///
  /// With the same root folder, seen through the same mount, a path from there leads to the same file for both, even if
  /// the process has entered another mount namespace: other mounts hang on that namespace's copies of the mount only.
  var hasOurRoot: Bool {
    guard let theirs = try? MountedFile("root", in: folder.get()), let ours = Self.ownRoot else {
      return false
    }
    return theirs == ours
  }

  /// The root folder of this process, which never changes it.
  private static let ownRoot = MountedFile("/")

  /// The mount namespace of this process, which never leaves it.
  private static let ownMounts = FileStatus("/proc/self/ns/mnt")

  private func open(_ link: String) throws(PathDoubt) -> PathDescriptor {
    let folder = try folder.get()
    do throws(PathDoubt) {
      return try PathDescriptor(link.utf8, from: folder)
    } catch {
      throw Self.ended(error)
    }
  }

  private static func ended(_ doubt: PathDoubt) -> PathDoubt { doubt == .missing ? .processEnded : doubt }
}

/// A file, and the mount through which it is seen. As long as the mount is in use, no other one has its number.
///
/// The device counts, too: on btrfs, the top folders of all subvolumes have the same inode number, and can be seen
/// through the same mount.
private struct MountedFile: Equatable {
  private var device: UInt64 = 0
  private var inode: UInt64 = 0
  private var mount: UInt64 = 0

  /// Follows links. Returns `nil` if there is no such file, or if the kernel does not tell its mount.
  init?(_ path: String, in folder: Int32 = AT_FDCWD) {
    guard mount_of_file(folder, path, &device, &inode, &mount) == 0 else { return nil }
  }
}
