import PermModel
import Testing

@testable import PermTUI

@Suite("Arguments that make no sense")
struct WrongArgumentTests {
  private let shell = TestShell()

  /// Expects that a command line is a usage error that names this.
  private func expectUsage(_ arguments: [String], naming text: String) {
    let outcome = shell.run(arguments)
    #expect(outcome.status == 64, "\(arguments)")
    #expect(outcome.messages.contains(text), "\(arguments): \(outcome.messages)")
    #expect(outcome.output.isEmpty)
  }

  @Test("An option with an empty value is an error, for each option of each command, and nothing is changed")
  func emptyValues() throws {
    var count = 0
    for command in try CommandDescription.permtui().commands {
      for option in command.shown where option.kind == .option {
        for name in option.names ?? [] {
          let words = [command.commandName, "backup", "photos"]
          expectUsage(words + ["\(name.spelled)="], naming: "'\(name.spelled)' needs a value")
          expectUsage(words + ["\(name.spelled)=", "next"], naming: "'\(name.spelled)' needs a value")
          expectUsage(words + [name.spelled, "", "next"], naming: "'\(name.spelled)' needs a value")
          count += 1
        }
      }
    }
    #expect(count > 40)
    #expect(try shell.store.decisions().isEmpty)
  }

  @Test("An argument that is empty is an error")
  func emptyArguments() {
    expectUsage(["allow", "", "photos"], naming: "an argument is empty")
    expectUsage(["allow", "backup", ""], naming: "an argument is empty")
  }

  @Test("A word behind two dashes is no option, and the shells complete an empty word")
  func noOptions() {
    #expect(ProgramArguments.emptyValue(in: ["request", "--", "--reason="]) == nil)
    #expect(
      ProgramArguments.emptyValue(in: ["---completion", "allow", "--", "positional@0", "1", "0", ""]) == nil)
    #expect(ProgramArguments.emptyValue(in: ["request", "photos", "--details", "-", "--reason=="]) == nil)
  }

  @Test(
    "An option that does not exist is named, whatever else is wrong",
    arguments: [
      (["allow", "-x", "photos"], "'permtui allow' has no option '-x'"),
      (["allow", "--forr=8h"], "did you mean '--for'?"), (["status", "--jsno"], "did you mean '--json'?"),
      (["log", "--since", "24h", "--bogus"], "has no option '--bogus'"),
    ])
  func unknownOptions(arguments: [String], text: String) {
    expectUsage(arguments, naming: text)
  }

  @Test("Help about a command that does not exist is an error that says what was meant")
  func unknownTopic() {
    expectUsage(["requst"], naming: "did you mean 'permtui request'?")
    expectUsage(["help", "nonsense"], naming: "there is no command 'nonsense'")
    expectUsage(["help", "stauts"], naming: "did you mean 'permtui status'?")
    #expect(throws: Never.self) { try PermTUI.parsed(["help", "status"]) }
  }
}
