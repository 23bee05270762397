import Foundation
import TerminalTesting
import Testing

@Suite("The command line, through the built program")
struct CommandLineTests {
  private static let clockLibrary = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketime.so.1"

  private static var machine: String {
    #if arch(arm64)
      "aarch64"
    #else
      "x86_64"
    #endif
  }

  @Test(
    "A preloaded library that hides the arguments from Swift hides them from no command",
    .needs(file: clockLibrary))
  func hiddenArguments() async throws {
    let run = try await BuiltProgram.run(
      "--version", home: try TemporaryFolder(),
      environment: ["LD_PRELOAD": Self.clockLibrary, "FAKETIME": "+5d"])
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output.contains("."), "\(run.output)")
  }

  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test(
    "Commands print in many colours where TERM or COLORTERM says that the terminal has them",
    arguments: [
      (["TERM": "xterm"], false), (["TERM": "xterm-256color"], true),
      (["TERM": "xterm", "COLORTERM": "truecolor"], true),
    ])
  func colors(environment: [String: String], areMany: Bool) throws {
    let session = try TerminalSession(home.permtui(["status"], environment: environment))
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.picture.text.contains("Capability"))
    let styles = session.picture.rows.joined().map(\.style)
    #expect(styles.contains { $0.contains("fg=") } == areMany)
  }

  @Test("A wrong command is a usage error that says what was meant")
  func typo() async throws {
    let run = try await BuiltProgram.run("stauts", home: home)
    #expect(run.ending == .exited(64))
    #expect(run.messages.contains("'stauts'"), "\(run.messages)")
    #expect(run.messages.contains("permtui status"), "\(run.messages)")
    #expect(run.output.isEmpty)
  }

  @Test("A wrong option is a usage error that says what was meant")
  func optionTypo() async throws {
    let run = try await BuiltProgram.run("status", "--jsno", home: home)
    #expect(run.ending == .exited(64))
    #expect(run.messages.contains("--json"), "\(run.messages)")
  }

  @Test("A mistyped argument is repeated without its control characters")
  func hostileArgument() async throws {
    let run = try await BuiltProgram.run("a\u{1b}]0;x\u{7}", home: home)
    #expect(run.ending == .exited(64))
    #expect(run.messages.contains(#"a\u{1b}]0;x\u{7}"#), "\(run.messages)")
    #expect(!run.messages.contains("\u{1b}"))
  }

  @Test(
    "Help and version need no terminal, print to standard output, and end well",
    arguments: ["--help", "--version"])
  func help(argument: String) async throws {
    let run = try await BuiltProgram.run(argument, home: home)
    #expect(run.ending == .exited(0))
    #expect(!run.output.isEmpty)
    #expect(run.messages.isEmpty)
  }

  @Test("Without a terminal the dashboard is refused, and nothing is made", arguments: [[], ["demo"]])
  func noTerminal(command: [String]) async throws {
    let store = home.path + "/new/permissions.sqlite"
    let run = try await ProcessRun.run(
      BuiltProgram.path, command + ["--store", store], environment: BuiltProgram.environment(home: home))
    #expect(run.ending == .exited(2))
    #expect(run.messages.contains("needs a terminal"), "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/new"))
  }

  @Test("A full disk is said, not passed over")
  func fullDisk() async throws {
    let command = "exec '\(BuiltProgram.path)' --help >/dev/full"
    let run = try await ProcessRun.run(
      "/bin/sh", ["-c", command], environment: BuiltProgram.environment(home: home))
    #expect(run.ending == .exited(2))
    #expect(run.messages.contains("No space left"), "\(run.messages)")
  }

  @Test(
    "A closed standard stream is no file of the program, and an error if it is needed",
    arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func closedStreams(redirection: String) async throws {
    let script = "'\(BuiltProgram.path)' allow backup photos \(redirection); echo ended $? >&3"
    let run = try await ProcessRun.run(
      "/bin/bash", ["-c", "exec 3>&1; \(script)"], environment: BuiltProgram.environment(home: home))
    let needsOutput = redirection.contains(" >&-") || redirection.hasPrefix(">&-")
    #expect(run.output.hasSuffix("ended \(needsOutput ? 2 : 0)\n"), "\(run.output) \(run.messages)")
    let check = try await BuiltProgram.run("programs", home: home)
    #expect(check.ending == .exited(0), "\(check.messages)")
    #expect(check.output.contains("backup"))
  }

  @Test("A home folder that is not text in UTF-8 is refused, and no other is made beside it")
  func homeInOtherBytes() async throws {
    let script = """
      home="$HOME/ren$(printf '\\351')"; mkdir "$home"
      HOME="$home" '\(BuiltProgram.path)' allow backup photos; echo "ended $?"
      """
    let run = try await ProcessRun.run(
      "/bin/sh", ["-c", script], environment: BuiltProgram.environment(home: home))
    #expect(run.output == "ended 64\n", "\(run.output)")
    #expect(run.messages.contains("HOME is not text in UTF-8"), "\(run.messages)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).count == 1)
  }

  @Test("A home folder with a slash at its end is the same folder")
  func homeWithSlash() async throws {
    let allowed = try await BuiltProgram.run(
      "allow", "backup", "files:read@~/music/", home: home, environment: ["HOME": home.path + "/"])
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
    let status = try await BuiltProgram.run(
      "status", "files", home: home, environment: ["HOME": home.path + "/"])
    #expect(status.output.contains("~/music"), "\(status.output)")
  }

  @Test(
    "Without /proc, a command says so and does nothing else", .needs("bwrap"),
    arguments: [["status"], ["allow", "backup", "photos"], ["--version"], []])
  func withoutProc(arguments: [String]) async throws {
    let walls = ["--dev-bind", "/", "/", "--tmpfs", "/proc", "--", BuiltProgram.path]
    let run = try await ProcessRun.run(
      "/usr/bin/bwrap", walls + arguments, environment: BuiltProgram.environment(home: home))
    #expect(run.ending == .exited(2), "\(run.output) \(run.messages)")
    #expect(run.messages.contains("mount -t proc proc /proc"), "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: home.file(".local")))
  }

  @Test("When the reader goes away, a command ends quietly")
  func brokenPipe() async throws {
    let script = """
      # The pipe's reader has ended before the command begins.
      write_to_nobody() { ( exec > >(exec true); wait $!; exec '\(BuiltProgram.path)' capabilities ); }
      write_to_nobody; echo "ended $?"
      trap '' PIPE
      write_to_nobody; echo "ended $?"
      """
    let run = try await ProcessRun.run(
      "/bin/bash", ["-c", script], environment: BuiltProgram.environment(home: home))
    #expect(run.messages.isEmpty, "\(run.messages)")
    #expect(run.output == "ended 141\nended 141\n")
  }

  @Test("Two processes change the same store and neither loses anything")
  func twoWriters() async throws {
    let script = """
      for i in 1 2 3 4 5; do '\(BuiltProgram.path)' allow "one-$i" photos & '\(BuiltProgram.path)' deny "two-$i" camera & done
      wait
      """
    let writing = try await ProcessRun.run(
      "/bin/sh", ["-c", script], environment: BuiltProgram.environment(home: home))
    #expect(writing.ending == .exited(0))
    #expect(writing.output.split(separator: "\n").count == 10, "\(writing.messages)")
    let log = try await BuiltProgram.run("log", home: home)
    #expect(log.output.split(separator: "\n").count == 10, "\(log.output)")
  }

  @Test("The completion script of each shell is accepted by it", arguments: ["bash", "zsh", "fish"])
  func completionScript(shell: String) async throws {
    let script = try await BuiltProgram.run("--generate-completion-script", shell, home: home)
    #expect(script.ending == .exited(0))
    #expect(script.output.contains("capabilities"))
    let file = home.file("completion")
    try script.output.write(toFile: file, atomically: true, encoding: .utf8)
    let environment = BuiltProgram.environment(home: home)
    let known = try await ProcessRun.run("/bin/sh", ["-c", "command -v \(shell)"], environment: environment)
    guard known.ending == .exited(0) else { return }
    let check = try await ProcessRun.run("/usr/bin/env", [shell, "-n", file], environment: environment)
    #expect(check.ending == .exited(0), "\(check.messages)")
  }

  @Test("In bash, Tab completes commands, capabilities, their parts, and programs")
  func completing() async throws {
    let script = """
      PATH="$1:$PATH"
      source <(permtui --generate-completion-script bash)
      permtui allow backup-of-ana photos >/dev/null 2>&1
      complete_line() {
        COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        _permtui_whole permtui "${@: -1}" "${@: -2:1}"
        echo "${COMPREPLY[@]}"
      }
      complete_line permtui cap
      complete_line permtui allow backup-of-ana phot
      complete_line permtui forget backup-
      complete_line permtui help lo
      """
    let folder = String(BuiltProgram.path.dropLast("/permtui".count))
    let run = try await ProcessRun.run(
      "/bin/bash", ["-c", script, "bash", folder], environment: BuiltProgram.environment(home: home))
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.contains("capabilities") == true, "\(run.output) \(run.messages)")
    #expect(lines.dropFirst().first?.contains("photos") == true, "\(run.output) \(run.messages)")
    #expect(lines.dropFirst(2).first?.contains("backup-of-ana") == true, "\(run.output) \(run.messages)")
    #expect(lines.dropFirst(3).first == "log", "\(run.output) \(run.messages)")
  }

  /// Starts a bash on a terminal, in which Tab completes the words of permtui.
  private func bash() throws -> TerminalSession {
    let folder = String(BuiltProgram.path.dropLast("/permtui".count))
    var environment = BuiltProgram.environment(home: home)
    environment["PATH"] = "\(folder):/usr/bin:/bin"
    environment["PS1"] = "> "
    let shell = try TerminalSession(
      TestedProgram(path: "/bin/bash", arguments: ["--norc", "--noprofile", "-i"], environment: environment),
      columns: 250)
    shell.type(
      "bind 'set show-all-if-ambiguous on'; source <(permtui --generate-completion-script bash); echo rea''dy\r"
    )
    try shell.expect("ready")
    return shell
  }

  @Test("In a real bash, Tab completes parts after the colon and paths after the @")
  func tab() async throws {
    let shell = try bash()
    shell.type("permtui request calendar:rem\t")
    try shell.expect("permtui request calendar:reminders")
    shell.type("\u{15}permtui allow backup calendar:\t")
    try shell.expect("events")
    shell.type("\u{15}")
    try Data().write(to: URL(filePath: home.file("notes")))
    shell.type("permtui allow backup files:read@\(home.path)/not\t")
    try shell.expect("files:read@\(home.path)/notes")
    shell.type("\u{15}")
    shell.type("exit\r")
    _ = try shell.waitForEnd()
  }

  @Test("In a real bash, Tab completes a quoted name inside its quotes")
  func quotedName() async throws {
    for name in ["night job", "day's $1"] {
      let run = try await BuiltProgram.run("allow", name, "photos", home: home)
      #expect(run.ending == .exited(0), "\(run.messages)")
    }
    let shell = try bash()
    shell.type("permtui why \"night\tphot\t")
    try shell.expect("permtui why \"night job\" photos")
    shell.type("\u{15}permtui why 'nig\tphot\t")
    try shell.expect("permtui why 'night job' photos")
    shell.type("\u{15}permtui why \"day\t")
    try shell.expect(#"permtui why "day's \$1""#)
    shell.type("\u{15}permtui why 'day\t")
    try shell.expect(#"permtui why 'day'\''s $1'"#)
    shell.type("\u{15}exit\r")
    _ = try shell.waitForEnd()
  }

  @Test("A program's name that looks like a command is offered as it is, and never carried out")
  func hostileName() async throws {
    let run = try await BuiltProgram.run("allow", "x$(touch${IFS}mark)", "photos", home: home)
    #expect(run.ending == .exited(0), "\(run.messages)")
    let shell = try bash()
    shell.type("cd '\(home.path)'; permtui forget x\t")
    try shell.expect(#"forget x\$\(touch\$\{IFS\}mark\)"#)
    shell.type("\u{15}exit\r")
    _ = try shell.waitForEnd()
    #expect(!FileManager.default.fileExists(atPath: home.file("mark")))
  }
}
