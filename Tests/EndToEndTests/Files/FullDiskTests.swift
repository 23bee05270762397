import Foundation
import TerminalTesting
import Testing

@Suite("A full disk, through the built program")
struct FullDiskTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home.file("Pictures"), withIntermediateDirectories: false)
  }

  /// Returns a command line that runs a command on a store on a small disk, which has been filled since the store was
  /// created.
  private func script(_ command: String) -> [String] {
    let script = """
      set -e
      export PERMTUI_STORE=/mnt/permtui/permissions.sqlite
      mkdir -m 700 /mnt/permtui
      "$0" allow backup photos >/dev/null 2>&1
      [ ! -s "$PERMTUI_STORE-wal" ]
      rm -f "$PERMTUI_STORE"-*
      head -c 4M /dev/zero >/mnt/filler 2>/dev/null || true
      ! echo more 2>/dev/null >>/mnt/permtui/more
      set +e
      \(command)
      """
    return [
      "--dev-bind", "/", "/", "--size", "524288", "--tmpfs", "/mnt", "--", "/bin/bash", "-c", script,
      BuiltProgram.path,
    ]
  }

  private func environment() -> [String: String] {
    BuiltProgram.environment(home: home, ["XDG_RUNTIME_DIR": home.path])
  }

  @Test(
    "All can be read on it",
    arguments: [
      ("status photos", 0, "backup"), ("log", 0, "backup: photos:read, allowed"),
      ("why backup photos", 0, "allowed"),
      ("export", 0, #""program":"backup""#), ("doctor", 0, "no space is left"),
      ("pending", 1, "Nothing waits"),
    ])
  func reading(_ command: String, _ status: Int32, _ words: String) async throws {
    let script = script("\"$0\" \(command)")
    let run = try await ProcessRun.run("/usr/bin/bwrap", script, environment: environment())
    #expect(run.ending == .exited(status), "\(run.output) \(run.messages)")
    #expect((run.output + run.messages).contains(words), "\(run.output) \(run.messages)")
  }

  @Test("A decision that cannot be kept is reported, and is not there afterwards")
  func changing() async throws {
    let command = #""$0" deny backup photos; echo "ended with $?"; "$0" status photos"#
    let run = try await ProcessRun.run("/usr/bin/bwrap", script(command), environment: environment())
    #expect(run.messages.contains("no space was left"), "\(run.messages)")
    #expect(run.output.contains("ended with 2"), "\(run.output)")
    #expect(run.output.contains("allowed"), "\(run.output)")
  }

  @Test("The dashboard opens on it, and shows what is decided")
  func dashboard() throws {
    let program = TestedProgram(
      path: "/usr/bin/bwrap", arguments: script("\"$0\""), environment: environment())
    let session = try TerminalSession(program)
    try session.expect("backup")
    session.type("q")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.leftovers == [])
  }

  @Test("A file that the system does not let grow is said, and what was there stays")
  func smallFiles() async throws {
    let script = """
      "$0" allow backup photos
      (ulimit -f 10; "$0" deny backup photos; echo "ended with $?")
      "$0" status photos
      """
    let run = try await ProcessRun.run(
      "/bin/bash", ["-c", script, BuiltProgram.path], environment: environment())
    #expect(run.output.contains("ended with 2"), "\(run.output) \(run.messages)")
    #expect(run.output.contains("allowed  forever"), "\(run.output)")
  }
}
