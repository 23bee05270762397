import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("The terminal of a program behind walls", .needsWalls, .timeLimit(.minutes(5)))
struct TerminalTests {
  @Test("A typed line is echoed, read and printed, and ^D ends it")
  func lines() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls sh -c 'echo ready; exec cat'; echo status $?")
    try session.expect("ready")
    session.type("hello\r")
    try session.expect("two lines") { $0.text.components(separatedBy: "hello").count == 3 }
    session.pressControl("d")
    try session.expect("status 0")
    #expect(session.leftovers == [])
  }

  @Test("The program sees the size of the window, and each change")
  func sizes() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls python3 \(ground.keys) sizes; echo status $?")
    try session.expect("ready")
    try session.expect("size 80 24")
    session.resize(columns: 100, rows: 30)
    try session.expect("size 100 30")
    session.type("\r")
    try session.expect("status 0")
  }

  @Test("^C and ^\\ end the program", arguments: [("c", 130), ("\\", 131)] as [(Character, Int)])
  func interrupts(key: Character, status: Int) async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls sh -c 'echo ready; exec cat'; echo status $?")
    try session.expect("ready")
    session.pressControl(key)
    try session.expect("status \(status)")
    #expect(session.leftovers == [])
  }

  @Test("^Z stops it and gives the shell its terminal; fg continues it")
  func stopping() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls python3 \(ground.keys) sizes; echo stopped $?; read -r line; fg > /dev/null; echo ended $?")
    try session.expect("ready")
    session.pressControl("z")
    try session.expect("stopped 148")
    #expect(session.leftovers == [])
    session.resize(columns: 100, rows: 30)
    session.type("\r")
    try session.expect("size 100 30")
    session.type("\r")
    try session.expect("ended 0")
    #expect(session.leftovers == [])
  }

  @Test("A program that takes single keys gets each of them, also ^C and ^Z")
  func singleKeys() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls python3 \(ground.keys) keys; echo status $?")
    try session.expect("ready")
    session.type("a")
    session.pressControl("c")
    session.pressControl("z")
    for key in [97, 3, 26] { try session.expect("key \(key)") }
    session.type("q")
    try session.expect("status 0")
    #expect(session.leftovers == [])
  }

  @Test("In a pipeline, a pager outside gets the keys")
  func pager() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls sh -c 'echo from inside; exec sleep 4716.25' | python3 \(ground.keys) page")
    try session.expect("page from inside")
    try session.expect("ready")
    session.type("ab")
    try session.expect("key 97")
    try session.expect("key 98")
  }

  @Test("In a pipeline, the program inside gets the keys once it reads")
  func reader() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls cat | sed -u 's/^/got /'; echo status $?")
    session.type("hello\r")
    try session.expect("got hello")
    session.pressControl("d")
    try session.expect("status 0")
    #expect(session.leftovers == [])
  }

  @Test("In the background it is stopped once it reads, touches no modes, and goes on with fg")
  func background() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      """
      "${walls[@]}" cat & until [ -n "$(jobs -s)" ]; do sleep 0.02; done
      jobs; read -r line; echo "the shell reads $line"; fg > /dev/null; echo ended $?
      """)
    try session.expect("Stopped")
    #expect(session.leftovers == [])
    session.type("first\r")
    try session.expect("the shell reads first")
    session.type("second\r")
    try session.expect("two lines") { $0.text.components(separatedBy: "second").count == 3 }
    session.pressControl("d")
    try session.expect("ended 0")
    #expect(session.leftovers == [])
  }

  @Test("In the background it may print")
  func printing() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("\"${walls[@]}\" printf 'one\\ntwo\\n' & wait $!; echo status $?")
    try session.expect("status 0")
    try session.expect("one")
    try session.expect("two")
    #expect(session.leftovers == [])
  }

  @Test("If the warden is killed, the terminal gets its modes back")
  func killed() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls python3 \(ground.keys) keys; echo status $?; read -r line")
    try session.expect("ready")
    #expect(session.leftovers != [])
    kill(try warden(of: session), SIGKILL)
    try session.expect("status 137")
    try await until { session.leftovers.isEmpty }
  }

  @Test("If the keeper of the modes is killed, the warden still puts them back")
  func keeperKilled() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls python3 \(ground.keys) keys; echo status $?")
    try session.expect("ready")
    kill(try #require(try children(of: try warden(of: session)).first), SIGKILL)
    session.type("q")
    try session.expect("status 0")
    #expect(session.leftovers == [])
  }

  @Test("A request to stop from outside stops the program, and it goes on when told")
  func stoppedFromOutside() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls python3 \(ground.keys) sizes; echo stopped $?; read -r line; fg > /dev/null; echo ended $?")
    try session.expect("ready")
    kill(try warden(of: session), SIGTSTP)
    try session.expect("stopped 148")
    #expect(session.leftovers == [])
    session.type("\r")
    session.resize(columns: 100, rows: 30)
    try session.expect("size 100 30")
    session.type("\r")
    try session.expect("ended 0")
  }

  @Test("A shell inside has jobs of its own")
  func shellInside() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls bash --norc -i; echo status $?")
    try session.expect("$")
    session.type("unset HISTFILE; PS1='in''side> '; python3 \(ground.keys) sizes\r")
    try session.expect("ready")
    session.pressControl("z")
    try session.expect("Stopped")
    try session.expect("inside>")
    session.type("fg\r")
    try session.expect("continued")
    session.type("\r")
    try session.expect("two prompts") { $0.text.components(separatedBy: "inside>").count == 3 }
    session.type("exit 5\r")
    try session.expect("status 5")
    #expect(session.leftovers == [])
  }

  @Test("Without standard streams in it, the terminal can still be opened inside")
  func openedInside() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls sh -c 'echo hello > /dev/tty; read -r x < /dev/tty; echo got $x' < /dev/null > out 2>&1; cat out"
    )
    try session.expect("hello")
    session.type("line\r")
    try session.expect("got line")
    #expect(session.leftovers == [])
  }

  @Test("When the window is closed, everything inside ends")
  func closed() async throws {
    let ground = try await Ground()
    let session = try ground.terminal("walls sh -c 'echo ready; exec sleep 4717.25'")
    try session.expect("ready")
    session.hangUp()
    try await until { processes(with: "4717.25").isEmpty }
  }

  @Test("The exit status is the program's own")
  func status() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls sh -c 'exit 7'; echo first $?; walls sh -c 'kill -9 $$'; echo then $?")
    try session.expect("first 7")
    try session.expect("then 137")
    #expect(session.leftovers == [])
  }

  // MARK: Attacks

  @Test("A process that has left its session reads no key while the run is stopped")
  func readingOn() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls python3 \(ground.keys) left; echo stopped $?; read -r line; echo \"the shell reads $line\"; kill %1"
    )
    try session.expect("ready")
    session.pressControl("z")
    try session.expect("stopped 148")
    session.type("password\r")
    try session.expect("the shell reads password")
    #expect(try ground.text("stolen") == "")
  }

  @Test("A process that has left its session cannot change the modes of the person's terminal")
  func changingModes() async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "walls python3 \(ground.keys) modes; echo stopped $?; read -r line; echo \"the shell reads $line\"; kill %1"
    )
    try session.expect("ready")
    // The line discipline of the run's terminal makes a signal of it in both modes.
    session.pressControl("z")
    try session.expect("stopped 148")
    #expect(session.leftovers == [])
    session.type("line\r")
    try session.expect("the shell reads line")
    #expect(session.leftovers == [])
  }

  @Test("The walls hold in a terminal", arguments: try attacks())
  func holds(attack: String) async throws {
    let ground = try await Ground()
    let session = try ground.terminal(
      "SWIFT_BACKTRACE=enable=yes,interactive=no walls python3 \(ground.user.program("attack_terminal.py")) \(attack); echo status $?"
    )
    try session.expect("status 0")
    #expect(session.picture.text.contains("held"))
    #expect(session.leftovers == [])
  }

  private static func attacks() throws -> [String] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Programs/attack_terminal.py")
    let text = try String(contentsOf: script, encoding: .utf8)
    let names = text.split(separator: "\n").filter { $0.hasPrefix("def ") && $0.contains("():") }
    return names.map { String($0.dropFirst(4).prefix { $0 != "(" }) }
  }

  /// The warden, which is the shell's job.
  private func warden(of session: TerminalSession) throws -> pid_t {
    try #require(try children(of: session.process).first)
  }

  /// The children of a process. A warden's first is the keeper, its second the builder.
  private func children(of process: pid_t) throws -> [pid_t] {
    let list = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return list.split(separator: " ").compactMap { pid_t($0) }
  }
}

extension Ground {
  fileprivate var keys: String { user.program("keys.py") }

  /// Starts a line of the user's shell in a terminal. There, `walls` runs a command behind walls.
  fileprivate func terminal(_ line: String) throws -> TerminalSession {
    let walls = [
      user.program("permtui-run"), "--alone", "--fuse", user.fuse, "--store", store, "--as", "run", "--",
    ]
    let script = """
      walls=(\(walls.joined(separator: " ")))
      walls() { "${walls[@]}" "$@"; }
      \(line)
      """
    return try TerminalSession(user.command(["bash", "--norc", "-m", "-c", script], in: work))
  }
}
