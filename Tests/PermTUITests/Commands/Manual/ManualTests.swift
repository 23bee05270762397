import Foundation
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The manual")
struct ManualTests {
  private static let docs = URL(filePath: #filePath).appending(path: "../../../../../docs").standardized

  private func document(_ name: String) throws -> String {
    try String(contentsOf: Self.docs.appending(path: name), encoding: .utf8)
  }

  @Test("docs/permtui.1 is what commands and keys say; PERMTUI_UPDATE_GOLDENS=1 writes it anew")
  func manualPage() throws {
    let page = ManualPage.render(try .permtui(), keys: KeyTable.standard)
    if ProcessInfo.processInfo.environment["PERMTUI_UPDATE_GOLDENS"] == "1" {
      try page.write(to: Self.docs.appending(path: "permtui.1"), atomically: true, encoding: .utf8)
    }
    let committed = try document("permtui.1")
    for (line, expected) in zip(committed.split(separator: "\n"), page.split(separator: "\n")) {
      try #require(line == expected)
    }
    #expect(committed == page)
  }

  @Test(
    "Formatters have nothing to say about the page", .needs("mandoc"), .needs("groff"),
    arguments: [["mandoc", "-T", "lint"], ["groff", "-ww", "-man", "-T", "utf8", "-z"]])
  func formatters(command: [String]) async throws {
    let page = Self.docs.appending(path: "permtui.1").path(percentEncoded: false)
    let run = try await ProcessRun.run(
      "/usr/bin/env", command + [page], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    #expect(run.output + run.messages == "")
  }

  @Test("Every command has a line of help that ends like a sentence, and examples that name it")
  func help() throws {
    for command in try CommandDescription.permtui().commands {
      #expect(command.abstract?.hasSuffix(".") == true, "\(command.commandName)")
      let examples = command.discussion?.split(separator: "Examples:\n").last ?? ""
      #expect(examples.contains("permtui"), "\(command.commandName)")
      for argument in command.shown {
        #expect(argument.abstract?.isEmpty == false, "\(command.commandName) \(argument.valueName)")
      }
    }
  }

  @Test("docs/cli.md has every command, every exit status, and every key that --json prints")
  func commandLineDocument() throws {
    let text = try document("cli.md")
    for command in try CommandDescription.permtui().commands {
      #expect(text.contains("`permtui \(command.commandName)"), "\(command.commandName)")
    }
    for status in ExitStatus.allCases { #expect(text.contains("| \(status.rawValue) |"), "\(status)") }
    for key in try jsonKeys() { #expect(text.contains("`\(key)`"), "the key \(key) is not documented") }
  }

  /// Returns the keys of all documents that commands print, from a store with entries of every kind.
  private func jsonKeys() throws -> Set<String> {
    let shell = TestShell()
    shell.run("allow", "backup", "photos", "--for", "10m")
    shell.run("deny", "tracker", "camera")
    try shell.store.setSuspended(true, by: .library)
    let commands = [
      ["status", "--json"], ["status", "photos", "--json"], ["capabilities", "--json"], ["log", "--json"],
      ["why", "backup", "photos", "--json"],
    ]
    return try commands.reduce(into: []) { keys, command in
      for line in shell.run(command).lines {
        Self.collectKeys(of: try JSONSerialization.jsonObject(with: Data(line.utf8)), into: &keys)
      }
    }
  }

  private static func collectKeys(of document: Any, into keys: inout Set<String>) {
    switch document {
    case let members as [String: Any]:
      for (key, value) in members {
        keys.insert(key)
        collectKeys(of: value, into: &keys)
      }
    case let elements as [Any]:
      for element in elements { collectKeys(of: element, into: &keys) }
    default: return
    }
  }
}
