import ArgumentParser
import Foundation
import Testing

@testable import PermTUI

@Suite("permtui run")
struct RunCommandTests {
  @Test("Words after -- are the program's, even if they look like options; the rest is for the warden")
  func arguments() throws {
    let line = [
      "--here", "--fixed", "--native", "target", "--env", "CI", "--as", "tool", "--store", "/tmp/s", "--",
      "ls", "--env", "x", "--",
      "-a",
    ]
    let command = try RunCommand.parse(line)
    #expect(
      command.options == [
        "--here", "--fixed", "--native", "target", "--env", "CI", "--as", "tool", "--store", "/tmp/s",
      ])
    #expect(command.program == ["ls", "--env", "x", "--", "-a"])
  }

  @Test(
    "Without a program it is a usage error", arguments: [[], ["--here"], ["--"], ["ls"], ["--here", "ls"]])
  func noProgram(_ line: [String]) {
    #expect(throws: (any Error).self) { try RunCommand.parse(line) }
  }

  @Test("Without permtui-run beside it nothing runs, and the message names the package")
  func notInstalled() throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let error = #expect(throws: CommandError.self) { try RunCommand.warden(besides: folder + "/permtui") }
    #expect(error?.status == .noWalls)
    #expect(error?.advice == ["it is in the package permtui-run"])
    #expect(FileManager.default.createFile(atPath: folder + "/permtui-run", contents: nil))
    #expect(try RunCommand.warden(besides: folder + "/permtui") == folder + "/permtui-run")
  }
}
