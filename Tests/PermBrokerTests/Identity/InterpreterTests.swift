import Testing

@testable import PermBroker

@Suite("Reading an interpreter's command line")
struct InterpreterTests {
  @Test(
    "A script is found behind options and their values",
    arguments: [
      ("bash", ["x.sh"], "x.sh"),
      ("bash", ["-x", "x.sh", "-c"], "x.sh"),
      ("bash", ["-euo", "pipefail", "x.sh"], "x.sh"),
      ("bash", ["--rcfile", "rc", "x.sh"], "x.sh"),
      ("bash", ["--", "-odd.sh"], "-odd.sh"),
      ("dash", ["+e", "x.sh"], "x.sh"),
      ("python3.11", ["-u", "-W", "error", "x.py", "-m"], "x.py"),
      ("node", ["--require", "ts-node", "x.js"], "x.js"),
      ("node", ["--max-old-space-size=4096", "x.js"], "x.js"),
      ("perl", ["-w", "x.pl"], "x.pl"),
      ("expect", ["-f", "x.exp"], "x.exp"),
      ("php", ["--file=x.php"], "x.php"),
      ("java", ["-cp", "lib", "-jar", "x.jar", "arg"], "x.jar"),
      ("make", ["-f", "x.mk", "all"], "x.mk"),
      ("make", ["all", "--makefile=x.mk"], "x.mk"),
      ("make", ["-sf", "x.mk"], "x.mk"),
      ("make", ["-kfx.mk", "all"], "x.mk"),
    ])
  func script(_ program: String, _ arguments: [String], _ expected: String) throws {
    let interpreter = try #require(Interpreter.named(program))
    #expect(interpreter.input(of: [program] + arguments) == .script(expected))
  }

  @Test(
    "Code, modules and what is typed are not scripts",
    arguments: [
      ("bash", ["-c", "x.sh"], Interpreter.Input.code),
      ("sh", ["-ec", "x.sh"], .code),
      ("fish", ["--command=x"], .code),
      ("python3", ["-c", "x"], .code),
      ("python3", ["-Bc", "x"], .code),
      ("perl", ["-lane", "x"], .code),
      ("ruby", ["-ne", "x"], .code),
      // The interpreter sees the letter, and takes the accent for the beginning of the code.
      ("ruby", ["-e\u{301}=1;evil", "x.rb"], .code),
      ("bash", ["-\u{301}", "x.sh"], .code),
      ("make", ["--eval=all: ; x"], .code),
      ("python3", ["-m", "http.server"], .module),
      ("python3", ["-Im", "http.server"], .module),
      ("java", ["-cp", "lib", "Main"], .module),
      ("make", ["-f", "a.mk", "-f", "b.mk"], .module),
      ("bash", ["-s", "argument"], .input),
      ("bash", ["-"], .input),
      ("python3", ["-"], .input),
      ("make", ["-f", "-"], .input),
      ("bash", [], .nothing),
      ("bash", ["-o"], .nothing),
      ("expect", ["-f"], .nothing),
      ("make", ["-j", "4", "all"], .nothing),
    ])
  func other(_ program: String, _ arguments: [String], _ expected: Interpreter.Input) throws {
    let interpreter = try #require(Interpreter.named(program))
    #expect(interpreter.input(of: [program] + arguments) == expected)
  }

  @Test("A program of any other name is no interpreter", arguments: ["curl", "bashful", "", "3", "permtui"])
  func noInterpreter(_ name: String) {
    #expect(Interpreter.named(name) == nil)
  }
}
