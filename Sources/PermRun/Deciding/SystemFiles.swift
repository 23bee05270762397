import CFuse
import Machine
import PermModel

/// The files of the system, which may be read without being asked about: those that root owns and everybody may read,
/// outside of the folders where people and services keep their own.
enum SystemFiles {
  /// The folders of the system, as far as they are folders on this machine. Nobody is asked about them, and they cost
  /// nothing.
  static var bound: [String] {
    ["/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"].filter {
      FileStatus($0, followingLinks: false)?.kind == .folder
    }
  }

  private static let others = [
    "/home", "/root", "/run", "/mnt", "/media", "/srv", "/tmp", "/var/log", "/var/mail", "/var/spool",
  ].compactMap { try? AbsolutePath($0) }

  static func contain(_ path: AbsolutePath, _ status: stat) -> Bool {
    status.st_uid == 0 && status.st_mode & 0o004 != 0
      && !others.contains { $0 == path || $0.isAbove(path) }
  }
}
