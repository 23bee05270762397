import Foundation
import TerminalTesting
import Testing

@Suite("The doctor, through the built program")
struct DoctorTests {
  private let home: TemporaryFolder
  private let store: String

  init() throws {
    home = try TemporaryFolder()
    store = home.file("permissions.sqlite")
  }

  private func permtui(_ arguments: String...) async throws -> ProcessRun {
    let environment = BuiltProgram.environment(
      home: home, ["PERMTUI_STORE": store, "XDG_RUNTIME_DIR": home.path])
    return try await ProcessRun.run(BuiltProgram.path, arguments, environment: environment)
  }

  private func damage() throws {
    let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
    let file = try FileHandle(forWritingTo: URL(filePath: store))
    try file.write(contentsOf: Data(repeating: 0x5a, count: max(size, 4096)))
    try file.close()
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + ending) }
  }

  @Test("A healthy store gets no problem, and what permtui protects is said")
  func healthy() async throws {
    _ = try await permtui("allow", "backup", "photos")
    let run = try await permtui("doctor")
    #expect(run.ending == .exited(0), "\(run.output)")
    #expect(run.output.contains("ok       its file is intact: 1 decisions"), "\(run.output)")
    #expect(!run.output.contains("problem"), "\(run.output)")
    #expect(run.messages.contains("to others, \"denied\" is a reply"))
  }

  @Test("Looking where nothing is makes nothing")
  func nothingThere() async throws {
    let run = try await permtui("doctor")
    #expect(run.ending == .exited(0), "\(run.output)")
    #expect(run.output.contains("not yet  \(store) does not exist"), "\(run.output)")
    #expect(run.output.contains("not yet  there is no backup"), "\(run.output)")
    #expect(!run.output.contains("warning"), "\(run.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
  }

  @Test("A runtime folder that others can use is a problem, with what to do")
  func openRuntimeFolder() async throws {
    chmod(home.path, 0o755)
    let run = try await permtui("doctor", "--json")
    #expect(run.ending == .exited(2))
    #expect(
      run.output.contains(#""level":"problem","what":"others can use the runtime folder"#), "\(run.output)")
    #expect(run.output.contains("chmod 700"))
  }

  @Test("A damaged store is moved aside only when it is damaged, and kept as it was")
  func repair() async throws {
    _ = try await permtui("allow", "backup", "photos")
    let early = try await permtui("doctor", "--repair")
    #expect(early.ending == .exited(1), "\(early.messages)")
    try damage()
    let damaged = try Data(contentsOf: URL(filePath: store))
    let found = try await permtui("doctor")
    #expect(found.ending == .exited(2))
    #expect(found.output.contains("problem  "), "\(found.output)")
    let run = try await permtui("doctor", "--repair")
    #expect(run.ending == .exited(0), "\(run.messages)")
    let aside = try #require(run.output.split(separator: " ").last?.split(separator: "\n").first)
    #expect(try Data(contentsOf: URL(filePath: String(aside))) == damaged)
    #expect(!FileManager.default.fileExists(atPath: store))
    let allowed = try await permtui("allow", "backup", "photos")
    #expect(allowed.ending == .exited(0), "\(allowed.messages)")
  }

  @Test("Without a backup, restoring says so and changes nothing")
  func restoreNothing() async throws {
    _ = try await permtui("allow", "backup", "photos")
    let run = try await permtui("doctor", "--restore")
    #expect(run.ending == .exited(1))
    #expect(run.messages.contains("no backup"), "\(run.messages)")
    #expect(try await permtui("status", "photos").output.contains("backup"))
  }

  @Test("The newest backup takes the place of a damaged store")
  func restore() async throws {
    _ = try await permtui("allow", "backup", "photos")
    let backups = home.file("backups")
    try FileManager.default.createDirectory(
      atPath: backups, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try FileManager.default.copyItem(atPath: store, toPath: backups + "/permissions-20260102T030405Z.sqlite")
    try damage()
    let run = try await permtui("doctor", "--restore")
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output.contains("moved what stood there to "))
    #expect(try await permtui("status", "photos").output.contains("backup"))
  }
}
