import Foundation
import PermModel
import TerminalTesting
import Testing
import Waiting

@testable import PermRun

@Suite("Machines that lack something", .needsWalls, .timeLimit(.minutes(5)))
struct BadMachineTests {
  // The release is given by a hidden option: no old kernel runs here.
  @Test(
    "On an old kernel nothing runs, and the message names both versions",
    arguments: ["5.15.0-91-generic", "4.19.0"])
  func oldKernel(release: String) async throws {
    let ground = try await Ground()
    let run = try await ground.outside(
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--kernel", release, "--",
      "touch",
      "ran")
    #expect(run.ending == .exited(125))
    #expect(run.messages == "permtui-run: this machine has Linux \(release); the walls need 5.19 or newer\n")
    #expect(!FileManager.default.fileExists(atPath: ground.file("ran")))
  }

  @Test(
    "On a kernel that is new enough, or whose version cannot be read, the program runs",
    arguments: ["5.19.0", "7.0-rc1", "strange"])
  func newKernel(release: String) async throws {
    let ground = try await Ground()
    let run = try await ground.outside(
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--kernel", release, "--",
      "true")
    #expect(run.ending == .exited(0), "\(run.messages)")
  }

  @Test("A file system that hangs looks empty, and keeps nobody waiting", .enabled(if: getuid() == 0))
  func hangingFolder() async throws {
    let ground = try await Ground()
    try ground.write("text", to: "file")
    _ = try await ground.outside("mkdir", "hangs")
    let hanging = try HangingFileSystem(on: ground.file("hangs"), for: ground.user)
    let run = try await ground.inside(
      shell:
        "ls -l; ls -A hangs; stat -c %F hangs; cat hangs/x; echo x > hangs/new; df hangs > /dev/null; rmdir hangs/y; cat file"
    )
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output.contains("hangs"))
    #expect(run.output.hasSuffix("directory\ntext"), "\(run.output)")
    hanging.end()
  }

  @Test(
    "A working folder on a file system that hangs is refused with a sentence", .enabled(if: getuid() == 0))
  func mounts() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("mkdir", "hangs")
    let hanging = try HangingFileSystem(on: ground.file("hangs"), for: ground.user)
    let mounts = AnsweringFileSystems.current
    #expect(mounts.kind(of: try AbsolutePath(ground.file("hangs/below"))) == "fuse.hangs")
    #expect(mounts.kind(of: try AbsolutePath(ground.work)) == nil)
    hanging.end()
  }

  @Test("A store on a disk that does not answer is waited for with a sentence", .enabled(if: getuid() == 0))
  func hangingStore() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("mkdir", "hangs")
    let hanging = try HangingFileSystem(on: ground.file("hangs"), for: ground.user)
    let running = try ground.startOutside(
      ground.user.program("permtui-run"), "--alone", "--fuse", ground.user.fuse, "--store",
      ground.file("hangs/p.sqlite"), "--",
      "touch", "ran")
    try await running.said("one of them does not answer")
    #expect(!FileManager.default.fileExists(atPath: ground.file("ran")))
    running.send(SIGKILL)
    _ = try await running.end()
    hanging.end()
  }

  @Test("Ten thousand names that 500 threads ask for wait, and one answer lets all of them go on")
  func tenThousandQuestions() async throws {
    let ground = try await Ground(isAllowed: false)
    let made = try await ground.outside("sh", "-c", "mkdir many; cd many; seq 10000 | xargs touch")
    #expect(made.ending == .exited(0))
    let code = """
      import os, threading
      read = []
      def work(first):
          for n in range(first, first + 20):
              os.close(os.open(f"many/{n}", os.O_RDONLY))
              read.append(n)
      threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 10001, 20)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      print(len(read))
      """
    let running = try ground.startInside(shell: "python3 -I -c '\(code)'")
    try await until { running.messages.utf8.count(where: { $0 == 0x0a }) == 500 }
    #expect(running.output == "")
    try await ground.decide("allow", "files:read@\(ground.file("many"))/")
    #expect(try await running.end() == 0, "\(running.messages.suffix(500))")
    #expect(running.output == "10000\n")
  }
}

/// A file system whose program never answers, as that of a server that is gone.
private final class HangingFileSystem {
  private let device: Int32
  private let folder: String

  init(on folder: String, for user: OrdinaryUser) throws {
    self.folder = folder
    device = open(user.fuse, O_RDWR | O_CLOEXEC)
    let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0,allow_other"
    guard device >= 0, mount("hangs", folder, "fuse.hangs", 0, options) == 0 else {
      throw OrdinaryUser.Missing("cannot mount: \(errno)")
    }
  }

  /// Ends the file system; all that has waited for it fails.
  func end() {
    close(device)
    umount2(folder, Int32(MNT_DETACH))
  }
}
