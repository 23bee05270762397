import ArgumentParser
import Testing

@testable import PermTUI

@Suite("The arguments of the program")
struct ParsingTests {
  @Test(
    "A command that is parsed alone is the same as one that is found among all commands",
    arguments: [
      "request photos", "request photos camera --in-folder --queue --wait 0 --no-color --reason because",
      "request photos --as=backup", "request photos --as a --as b", "request photos --for 8h",
      "request --wait 7 photos --details -", "request photos --store /tmp/x --as backup --wait 3 --json",
      "request -- --photos",
      "request files:read@/a help", "status --no-color", "demo", "--store /tmp/x request photos", "--plain",
      "allow backup photos --for 8h", "log --since 24h",
    ])
  func alone(_ line: String) throws {
    let arguments = line.split(separator: " ").map(String.init)
    let (one, other) = (try PermTUI.parsed(arguments), try PermTUI.parseAsRoot(arguments))
    #expect(type(of: one) == type(of: other))
    if let one = one as? RequestCommand, let other = other as? RequestCommand {
      #expect(facts(of: one) == facts(of: other))
    } else {
      #expect("\(one)" == "\(other)")
    }
  }

  private func facts(of command: RequestCommand) -> [String] {
    [
      "\(command.capabilities)", "\(command.label, default: "-")", "\(command.reason, default: "-")",
      "\(command.details, default: "-")", "\(String(describing: command.lifetime))",
      "\(String(describing: command.wait))", "\(command.queue) \(command.json) \(command.inFolder)",
      "\(String(describing: command.shared.store)) \(command.shared.noColor)",
    ]
  }

  @Test("A usual request needs no parser")
  func simple() {
    #expect(RequestCommand.simple(["photos", "--as", "backup", "--wait", "3", "--json"]) != nil)
    for unusual in [
      "photos --as", "photos --as --json", "--json", "photos --wait x", "photos --wat", "photos -- x",
    ] {
      #expect(RequestCommand.simple(unusual.split(separator: " ").map(String.init)) == nil, "\(unusual)")
    }
  }

  @Test("A line that is read without the parser means what the parser would read, for lines of any words")
  func sameAsParser() throws {
    let words = [
      "photos", "files:read@/a b", "--as", "--reason", "--wait", "--store", "--queue", "--json",
      "--in-folder",
      "--no-color", "0", "60", "007", "+5", "x", "", "-", "--", "é", "--as=x", "-5", "99999999999999999999",
      "1e3",
    ]
    var numbers = SystemRandomNumberGenerator()
    var count = 0
    for _ in 0..<4_000 {
      let line = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
        words[Int.random(in: words.indices, using: &numbers)]
      }
      guard let simple = RequestCommand.simple(line) else { continue }
      count += 1
      let parsed = try? RequestCommand.parse(line)
      #expect(parsed.map { facts(of: $0) } == facts(of: simple), "\(line)")
    }
    #expect(count > 200)
  }

  @Test("The usual arguments of a hook need no parser, which would understand the same")
  func hook() throws {
    for usual in [[], ["--sockets", "/run/permtui"]] {
      let simple = try #require(HookCommand.simple(usual))
      #expect(simple.sockets == (try HookCommand.parse(usual)).sockets)
    }
    for unusual in ["--sockets", "--sockets run", "--sockets=/run", "--help", "/run", "--sockets /a /b"] {
      #expect(HookCommand.simple(unusual.split(separator: " ").map(String.init)) == nil, "\(unusual)")
    }
  }

  @Test(
    "Help and mistakes name the whole command",
    arguments: [
      "request --help", "request", "request photos --wait -1", "request photos --wait 9999999999999",
      "request photos --as",
      "request --version", "help request",
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
