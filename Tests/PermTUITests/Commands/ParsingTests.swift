import ArgumentParser
import Testing

@testable import PermTUI

@Suite("The arguments of the program")
struct ParsingTests {
  @Test(
    "A command that is parsed alone is the same as one that is found among all commands",
    arguments: [
      "request photos", "request photos --store /tmp/x --as backup --wait 3 --json", "request -- --photos",
      "request files:read@/a help", "status --no-color", "demo", "--store /tmp/x request photos", "--plain",
      "allow backup photos --for 8h", "log --since 24h",
    ])
  func alone(_ line: String) throws {
    let arguments = line.split(separator: " ").map(String.init)
    let (one, other) = (try PermTUI.parsed(arguments), try PermTUI.parseAsRoot(arguments))
    #expect(type(of: one) == type(of: other))
    #expect("\(one)" == "\(other)")
  }

  @Test(
    "Help and mistakes name the whole command",
    arguments: [
      "request --help", "request", "request photos --wait -1", "request --version", "requst", "help request",
    ])
  func mistakes(_ line: String) throws {
    let arguments = line.split(separator: " ").map(String.init)
    #expect(message { try PermTUI.parsed(arguments) } == message { try PermTUI.parseAsRoot(arguments) })
  }

  private func message(_ parse: () throws -> any ParsableCommand) -> String {
    do {
      var command = try parse()
      // The parser makes a command of a call for help.
      try command.run()
      return "parsed"
    } catch {
      return PermTUI.fullMessage(for: error)
    }
  }
}
