import Foundation
import TerminalTesting

/// Agents that do nothing but run their hook, as Claude Code and Codex do: as `sh -c COMMAND`, with a message as input.
extension AskingHome {
  static let allowed =
    #"{"hookSpecificOutput":{"decision":{"behavior":"allow"},"hookEventName":"PermissionRequest"}}"# + "\n"

  static func denied(_ message: String) -> String {
    let decision = #"{"behavior":"deny","message":"\#(message)"}"#
    return #"{"hookSpecificOutput":{"decision":\#(decision),"hookEventName":"PermissionRequest"}}"# + "\n"
  }

  /// The command of the hook. It names the broker of this home, because no variable can.
  var hook: String { "\(BuiltProgram.path) hook --sockets \(sockets); exit $?" }

  /// Writes an agent that runs its hook with each message that it is given, one after the other. Before each message but
  /// the first, it waits for a line from the pipe `go` in its folder.
  func writeAgent(_ name: String = "claude") throws -> String {
    try write(
      """
      #!/bin/bash
      for message; do
        sh -c "$HOOK" < "$message" &
        shift
        [ $# = 0 ] || read -r _ < go
      done
      wait
      """, to: name)
  }

  /// Makes a folder in which agents work.
  func project(_ name: String) throws -> String {
    let path = folder.file(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Writes a recorded message as if the agent had sent it from a folder, and returns its path.
  func message(_ name: String, in folder: String, replacing changes: [String: String] = [:]) throws -> String
  {
    let recorded = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "PermBrokerTests/Agents/Messages/\(name).json")
    var text = try String(contentsOf: recorded, encoding: .utf8).replacing("/home/ana/proj", with: folder)
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return try write(text, as: "\(name)-\(UUID().uuidString).json")
  }

  /// Writes a file beside the home's programs, and returns its path.
  func write(_ text: String, as name: String) throws -> String {
    let path = folder.file(name)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  /// Runs an agent in a folder, with these messages.
  func agent(
    _ name: String = "claude", in folder: String, _ messages: [String], environment: [String: String] = [:]
  ) async throws -> ProcessRun {
    try await run(
      ["-C", folder, name] + messages, environment: ["HOOK": hook].merging(environment) { $1 })
  }
}
