import Foundation
import TerminalTesting

/// A folder whose file system is a program's own, mounted for as long as this object lives.
final class FuseMount: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// The files of another machine. Here, the server runs on this one, without a network between them.
    case sshfs
    /// A file system that ignores the case of letters.
    case ntfs
  }

  /// Returns whether this machine and this user can mount such a file system.
  static func isPossible() async -> Bool {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    return (try? await FuseMount(.sshfs, in: folder)) != nil
  }

  let path: String
  private let folder: TemporaryFolder

  init(_ kind: Kind, in folder: TemporaryFolder) async throws {
    self.folder = folder
    path = folder.file("mount")
    for name in ["mount", "served"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    let (image, server) = (folder.file("image"), folder.file("server"))
    let commands =
      switch kind {
      case .sshfs:
        """
        printf '#!/bin/sh\\nexec /usr/lib/openssh/sftp-server\\n' > '\(server)' && chmod +x '\(server)' &&
          sshfs -o ssh_command='\(server)' here:'\(folder.file("served"))' '\(path)'
        """
      case .ntfs:
        """
        truncate -s 8M '\(image)' && mkntfs -F -q '\(image)' &&
          lowntfs-3g -o ignore_case,umask=077 '\(image)' '\(path)'
        """
      }
    try await Self.run(commands)
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  private static func run(_ commands: String) async throws {
    let path = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    let run = try await ProcessRun.run("/bin/sh", ["-c", commands], environment: path)
    guard run.ending == .exited(0) else { throw NotMounted(messages: run.messages) }
  }

  struct NotMounted: Error {
    var messages: String
  }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ name: String) throws {
    let folder = URL(filePath: file(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "text\n".write(toFile: file(name), atomically: false, encoding: .utf8)
  }
}
