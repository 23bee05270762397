import Foundation
import Glibc
import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("The start and end of a connection to another machine", .timeLimit(.minutes(2)))
struct MachineGreetingTests {
  private func greet(_ script: String, seconds: Int = 30) async throws -> MachineHello {
    let ssh = try SpokenProgram(["/bin/sh", "-c", script])
    let greeting = MachineGreeting(ssh: ssh, version: "0.3.0", seconds: seconds, now: { .now })
    return try await BlockingThread.run { Result { try greeting.hello() } }.get()
  }

  @Test("A program that answers the first call is greeted, also if it says much to standard error")
  func answers() async throws {
    let id = String(repeating: "a", count: 32)
    let hello = try await greet(
      #"""
      head -c 300000 /dev/zero | tr '\0' e >&2
      head -c 37 | grep -q io.permtui.Bridge.Hello || exit 9
      printf '{"parameters":{"machine":"\#(id)","host":"w","version":"0.3.9","passes":"watch","now":%s}}\0' \
        "$(date +%s)000000"
      cat > /dev/null
      """#)
    #expect(hello.id == id && hello.passes == .watch && hello.operatorName == nil)
  }

  @Test(
    "A program that does not answer is described by how it ends",
    arguments: [
      ("exit 127", MachineFault.noProgram), ("exit 126", .noProgram),
      ("exit 3", .ended("it ended with status 3")),
      ("echo 'no such command' >&2; exit 64", .ended("no such command")),
      ("kill -9 $$", .ended("ssh was ended by signal 9")),
      ("echo 'Host key verification failed.' >&2; exit 255", .hostKeyChanged),
      (
        "echo 'ana@web1: Permission denied (publickey).' >&2; exit 255",
        .notAuthorised("ana@web1: Permission denied (publickey).")
      ),
      ("printf 'no route\r\n' >&2; exit 255", .unreachable("no route")),
      ("exit 255", .unreachable("ssh does not say why")),
      (#"printf '\033[31mred\033[0m' >&2; exit 255"#, .unreachable(#"\u{1b}[31mred\u{1b}[0m"#)),
      ("printf 'x'", .nonsense("it ended in the middle of an answer")),
      (
        "head -c 65536 /dev/zero | tr '\\0' x; cat >/dev/null",
        .nonsense("it sent 64 KiB, and none of it is an answer")
      ),
      ("yes", .nonsense("it sent 64 KiB, and none of it is an answer")),
    ])
  func ends(_ script: String, _ fault: MachineFault) async throws {
    await #expect(throws: fault) { try await greet(script) }
  }

  @Test("A program that says nothing is given up, and ended")
  func silent() async throws {
    await #expect(throws: MachineFault.silent(seconds: 1)) { try await greet("exec sleep 600", seconds: 1) }
  }

  @Test("A program that is not there is described")
  func missing() {
    #expect(throws: SystemError.self) { try SpokenProgram(["/nonexistent/ssh"]) }
  }

  @Test("The program and its helpers end with the connection, and are reaped")
  func dropped() async throws {
    func processes() throws -> [Int32] {
      let ssh = try SpokenProgram(["/bin/sh", "-c", "sleep 600 & echo $$ $!; wait"])
      let bytes = try #require(Readable.bytes(of: ssh.stream))
      return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
        Int32($0)
      }
    }
    let running = try processes()
    #expect(running.count == 2)
    try await until { kill(running[0], 0) != 0 }
    try await until { ProcessHandle(running[1])?.hasEnded ?? true }
  }

  @Test("A program that does not end by itself is killed")
  func stubborn() async throws {
    func process() throws -> Int32? {
      let ssh = try SpokenProgram(["/bin/sh", "-c", "trap '' TERM HUP; echo $$; while :; do sleep 600; done"])
      let bytes = try #require(Readable.bytes(of: ssh.stream))
      return Int32(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
    }
    let running = try #require(try process())
    try await until { kill(running, 0) != 0 }
  }

  @Test("The command line turns off what a person's own configuration could turn on, and ends the options")
  func commandLine() throws {
    let machine = ConfiguredMachine(
      name: try RemoteName("web1"), destination: try SSHDestination("ana@web1:22"))
    let words = try SSHCommand(machine, keysFile: "/home/ana b/hosts", .pinned).arguments
    #expect(words.prefix(4) == ["ssh", "-T", "-a", "-x"])
    #expect(words.suffix(3) == ["--", "ana@web1:22", "permtui bridge"])
    for option in [
      "ClearAllForwardings=yes", "ForwardAgent=no", "PermitLocalCommand=no", "ControlPath=none",
      "BatchMode=yes",
      "HostKeyAlias=permtui-web1", "UserKnownHostsFile=\"/home/ana b/hosts\"", "StrictHostKeyChecking=yes",
    ] {
      #expect(words.contains(option))
    }
    for file in ["/a%h", "/a\"b", "/a\\b", "/a${HOME}", "/a\nb"] {
      #expect(throws: MachineFault.self) { try SSHCommand(machine, keysFile: file, .pinned) }
    }
  }
}
