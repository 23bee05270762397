import Foundation

/// The program under test, as this build made it.
public enum BuiltProgram {
  /// The path of `permtui`: the one that `PERMTUI_PROGRAM` names, such as an installed one, else the one that was built
  /// with the tests.
  public static var path: String {
    ProcessInfo.processInfo.environment["PERMTUI_PROGRAM"] ?? path(of: "permtui")
  }

  /// Returns the path of a program that was built with the tests: it is in the folder of the running tests.
  public static func path(of name: String) -> String {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
  }

  /// Runs `permtui` with a store and a home of its own, without a terminal.
  public static func run(
    _ arguments: String..., home: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> ProcessRun {
    try await ProcessRun.run(path, arguments, environment: self.environment(home: home, environment))
  }

  /// Returns the environment of a run of the program: only the path and the locale come from the machine.
  public static func environment(
    home: TemporaryFolder, _ added: [String: String] = [:]
  ) -> [String: String] {
    ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"]
      .merging(added) { _, added in added }
  }
}
