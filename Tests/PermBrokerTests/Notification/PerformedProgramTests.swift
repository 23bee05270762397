import Foundation
import Machine
import Testing

@Suite("A command that the person configured", .timeLimit(.minutes(5)))
struct PerformedProgramTests {
  private func perform(_ script: String, within milliseconds: Int32 = 30_000) async -> String? {
    await Program.perform(
      ["/bin/sh", "-c", script], adding: ["PERMTUI_TEST": "$(exit 9) a"], within: milliseconds)
  }

  @Test("gets its variables as they are, and the variables of this process")
  func variables() async {
    #expect(await perform(#"test "$PERMTUI_TEST" = '$(exit 9) a' && test -n "$PATH""#) == nil)
  }

  @Test("is said to have failed, with the reason")
  func failures() async {
    #expect(await perform("exit 3") == "it ended with status 3")
    #expect(await perform("kill -9 $$") == "signal 9 ended it")
    let missing = await Program.perform(["/nonexistent/tool"], adding: [:], within: 1_000)
    #expect(missing == "it cannot be started: No such file or directory")
  }

  @Test("is ended after its time with what it has started, even if it has closed its output")
  func tooLong() async throws {
    let folder = try TemporaryFolder()
    let (mark, never, alive) = (folder.file("mark"), folder.file("never"), folder.file("alive"))
    #expect(mkfifo(never, 0o600) == 0 && mkfifo(alive, 0o600) == 0)
    let reader = open(alive, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    // The child would write the mark if anybody opened the pipe that it reads. While it runs, it holds the other one.
    let script = "exec >&- 2>&- 3>'\(alive)'; (cat '\(never)' >/dev/null; : >'\(mark)') & wait"
    #expect(await perform(script, within: 300) == "it took longer than 0 seconds, and was ended")
    #expect(!Readable.poll([reader], milliseconds: 30_000).isEmpty, "all that held the pipe have ended")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test("All lines are reported, also those right before the end")
  func lines() async {
    for _ in 0..<50 {
      let lines = Lock<[UInt8]>([])
      let status = await Program.follow(["/bin/sh", "-c", "echo a; echo b"]) { part in
        lines.withLock { $0 += part + [UInt8(ascii: "\n")] }
      }
      #expect(status == 0)
      #expect(String(decoding: lines.withLock { $0 }, as: UTF8.self) == "a\nb\n")
    }
  }
}
