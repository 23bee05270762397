import Glibc
import Testing

@testable import Machine

@Suite(
  "A file system that never answers",
  .enabled(if: HangingMount.isPossible, "mounting a FUSE file system takes root and /dev/fuse"),
  .timeLimit(.minutes(5)))
struct HangingMountTests {
  @Test("A path on it is a doubt, and other paths are found meanwhile")
  func hanging() async throws {
    let here = try ScratchFolder()
    try here.folder("mount")
    try here.file("file")
    let mount = try #require(HangingMount(at: here("mount")))
    defer {
      mount.end()
      // The folder must not be removed before.
      withExtendedLifetime(here) {}
    }
    let resolver = PathResolver()
    let start = try #require(ProcessStat(of: ProcessHandle.own)?.startTime)
    func find(_ name: String) async throws -> ResolvedPath {
      try await resolver.resolve(Array(here(name).utf8), by: ProcessHandle.own, startedAt: start)
    }
    for name in ["mount/file", "mount/folder/", "mount/../mount/x"] {
      await #expect(throws: PathDoubt.tooSlow) { try await find(name) }
    }
    await #expect(throws: PathDoubt.tooSlow) {
      try await resolver.look { FileStatus(here("mount/file")) }
    }
    #expect(try await find("file").text == here("file"))
  }
}

/// A FUSE file system whose server never answers.
private struct HangingMount {
  private let path: String
  private let server: Int32

  /// Whether this machine and this user can mount such a file system.
  static let isPossible: Bool = {
    guard geteuid() == 0, let here = try? ScratchFolder(), (try? here.folder("trial")) != nil else {
      return false
    }
    defer { withExtendedLifetime(here) {} }
    guard let mount = HangingMount(at: here("trial")) else { return false }
    mount.end()
    return true
  }()

  init?(at path: String) {
    self.path = path
    server = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard server >= 0 else { return nil }
    let options = "fd=\(server),rootmode=40000,user_id=0,group_id=0"
    guard mount("hanging", path, "fuse", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
      close(server)
      return nil
    }
  }

  /// Unmounts the file system. What hangs on it fails.
  func end() {
    umount2(path, Int32(MNT_DETACH))
    close(server)
  }
}
