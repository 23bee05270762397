import Foundation
import Machine
import Testing

@Suite("A command that the person configured", .timeLimit(.minutes(1)))
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
    let mark = folder.file("mark")
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // The child would write the mark when the pipe is opened below, if it still ran.
    let script = "exec >&- 2>&-; (cat '\(pipe)' >/dev/null; : >'\(mark)') & wait"
    #expect(await perform(script, within: 300) == "it took longer than 0 seconds, and was ended")
    #expect(open(pipe, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO, "nobody reads the pipe any more")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }
}
