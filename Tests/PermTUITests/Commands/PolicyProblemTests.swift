import ArgumentParser
import Foundation
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Mistakes in the machine's policy, as commands tell of them")
struct PolicyProblemTests {
  private let folder: TemporaryFolder
  private let messages = RecordedSink()
  private let context: CommandContext

  init() throws {
    folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let probes = ProbeEnvironment(root: folder.path, home: folder.file("home"))
    try FileManager.default.createDirectory(
      atPath: folder.file("etc/permtui"), withIntermediateDirectories: true)
    try "[[restrict]]\ncapability = \"photos\"\nparts = [\"raed\"]\n"
      .write(toFile: probes.policyFile, atomically: false, encoding: .utf8)
    let console = Console(
      data: RecordedSink(), messages: messages, isTerminal: false, colors: .none, measure: TestCellMeasure())
    let store = TestShell().store
    context = CommandContext(
      console: console, environment: [:], world: store.environment,
      configuration: UserConfiguration(text: "", file: "config.toml", probes), givenStore: store)
  }

  @Test(
    "The doctor and the check of the configuration tell of a misspelt part, and what was probably meant",
    .enabled(if: geteuid() == 0, "takes root, whose file alone counts"))
  func misspelt() throws {
    let findings = InstallationCheckup(path: folder.file("permissions.sqlite"), context: context).findings
    let problems = findings.filter { $0.level == .problem }.map(\.what)
    #expect(problems.contains { $0.contains("did you mean \"read\"?") }, "\(problems)")
    #expect(try CapabilitiesCommand.parse(["--check"]).run(in: context) == .failed)
    #expect(messages.text.contains("did you mean \"read\"?"), "\(messages.text)")
    let photos = Capability.Photos.definition
    #expect(context.readPolicy().policy.restricted(for: Subject(label: "a"), photos) == Set(photos.atoms))
  }
}
