import Foundation
import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The configuration is followed", .timeLimit(.minutes(5)))
struct ConfigurationFollowerTests {
  private static let deploy = "[capability.deploy]\nrequirements = [\"staging\"]\n"
  private let home: TemporaryFolder
  private let environment: ProbeEnvironment

  init() throws {
    home = try TemporaryFolder()
    environment = ProbeEnvironment(root: home.file("root"), home: home.path)
  }

  /// Writes the file as editors do: beside its place, and then into it.
  private func write(_ text: String) throws {
    let file = environment.configFile
    let folder = URL(filePath: file).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// Returns a stream of what counts after each change.
  private func follow(since read: LoadedConfiguration? = nil) -> AsyncStream<LoadedConfiguration> {
    let (stream, continuation) = AsyncStream.makeStream(of: LoadedConfiguration.self)
    let first = read ?? LoadedConfiguration.read(environment)
    let task = Task { [environment] in
      await ConfigurationFollower(environment: environment, pause: {}).run(since: first) {
        continuation.yield($0)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  @Test("A file that was not there counts once it is, and a capability that was taken out is gone")
  func changes() async throws {
    var found = follow().makeAsyncIterator()
    try write(Self.deploy)
    var now = try #require(await next(&found) { $0.user.catalogue["deploy"] != nil })
    #expect(now.problems.isEmpty && now.brokerSettings.catalogue["deploy"] != nil)
    try write("[keys]\nundo = \"Z\"\n[dashboard]\nbell = false\n[prompt]\nslow = 3\n")
    now = try #require(await next(&found) { $0.user.catalogue["deploy"] == nil && !$0.settings.rings })
    #expect(now.settings.preferences.keys.key(for: .undo)?.description == "Z")
    #expect(now.settings.preferences.times == PromptTimes(slow: 3))
  }

  @Test("A change after the file was read and before it is watched counts")
  func changedBetween() async throws {
    let first = LoadedConfiguration.read(environment)
    try write(Self.deploy)
    var found = follow(since: first).makeAsyncIterator()
    #expect(await next(&found) { $0.user.catalogue["deploy"] != nil } != nil)
  }

  @Test("A mistake anywhere keeps all that counted before, and is reported until it is corrected")
  func mistakes() async throws {
    try write(Self.deploy)
    var found = follow().makeAsyncIterator()
    try write("[dashboard]\nbell = \"loud\"\n")
    let broken = try #require(await next(&found) { !$0.problems.isEmpty })
    #expect(
      broken.problems.map(\.description) == [
        "\(environment.configFile): dashboard.bell: must be true or false"
      ])
    #expect(broken.user.catalogue["deploy"] != nil)
    #expect(broken.settings.preferences.mistakes == 1)
    try write("[dashboard]\nbell = false\n")
    let corrected = try #require(await next(&found) { $0.problems.isEmpty })
    #expect(corrected.user.catalogue["deploy"] == nil && !corrected.settings.rings)
  }

  private func next(
    _ found: inout AsyncStream<LoadedConfiguration>.Iterator, where isWanted: (LoadedConfiguration) -> Bool
  ) async -> LoadedConfiguration? {
    while let one = await found.next() { if isWanted(one) { return one } }
    return nil
  }
}
