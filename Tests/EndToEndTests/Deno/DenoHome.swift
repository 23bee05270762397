import Foundation
import TerminalTesting
import Testing

/// A home in which scripts of Deno run, and ask the broker of this home.
final class DenoHome: Sendable {
  let home: AskingHome
  /// The path of Deno.
  let deno: String

  /// Creates a home. Returns `nil`, and says so, if Deno is not here and cannot be fetched.
  init?() async throws {
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    let run = try await ProcessRun.run(
      "/bin/bash", [Repository.path("scripts/deno")], environment: environment, limit: .seconds(300))
    guard run.ending == .exited(0) else {
      print("Skipped, as Deno is not here: \(run.messages)")
      // If it has to run here, its absence is a failure.
      #expect(environment["CI"] == nil, "\(run.messages)")
      return nil
    }
    deno = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    home = try AskingHome()
    try FileManager.default.createDirectory(
      atPath: home.folder.file("app"), withIntermediateDirectories: false)
  }

  /// The folder with the scripts, as Deno sees it.
  var app: String {
    realpath(home.folder.file("app"), nil).map { path in
      defer { free(path) }
      return String(cString: path)
    } ?? home.folder.file("app")
  }

  /// Writes a file into the folder of the scripts, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = "\(app)/\(name)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  /// The command line that runs a script with the broker.
  func commandLine(_ script: String, _ arguments: [String] = []) -> [String] {
    [
      "-C", app, "PWD=\(app)", "DENO_PERMISSION_BROKER_PATH=\(home.sockets)/deno",
      "DENO_DIR=\(home.folder.file("cache"))",
      "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1", deno, "run", "--quiet", script,
    ] + arguments
  }

  /// Runs a script to its end.
  func run(_ script: String, _ arguments: String...) async throws -> ProcessRun {
    try await home.run(commandLine(script, arguments))
  }

  /// Allows or denies something for a script.
  func decide(_ verdict: String, _ script: String, _ references: String...) async throws {
    let run = try await home.run([BuiltProgram.path, verdict, "\(script)@\(app)/\(script)"] + references)
    #expect(run.ending == .exited(0), "\(run.messages)")
  }
}
