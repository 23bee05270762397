import Foundation
import TerminalTesting
import Testing

@Suite("Damaged stores, through the built program")
struct DamagedStoreTests {
  private let home: TemporaryFolder
  private let stores: DamagedStores

  init() throws {
    home = try TemporaryFolder()
    stores = try DamagedStores()
  }

  @Test(
    "Each of 200 damaged stores gives a message or a result, and keeps every byte", .timeLimit(.minutes(5)))
  func all() async throws {
    let damages = stores.damages
    #expect(damages.count >= 200)
    #expect(Set(damages.map(\.name)).count == damages.count)
    try await withThrowingTaskGroup { group in
      for lane in 0..<Self.lanes {
        group.addTask {
          for index in stride(from: lane, to: damages.count, by: Self.lanes) {
            try await expectCare(for: damages[index], number: index)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The number of parallel checks: one for each processor.
  private static let lanes = ProcessInfo.processInfo.activeProcessorCount

  private static let looks = [
    ["status"], ["log"], ["why", "backup", "photos"], ["export"], ["pending"], ["doctor"],
  ]

  /// Every eighth store is read by all commands, the others by the doctor and one more; then something is allowed.
  private func expectCare(for damage: DamagedStores.Damage, number: Int) async throws {
    let store = home.file("\(number)/permissions.sqlite")
    try stores.make(damage, at: store)
    let before = Self.bytes(of: store)
    let looks = number % 8 == 0 ? Self.looks : [Self.looks[number % 5], ["doctor"]]
    for arguments in looks { try await expectMessageOrResult(arguments, store, damage) }
    #expect(Self.bytes(of: store) == before, "looking changed a store that was \(damage.name)")
    let run = try await expectMessageOrResult(["allow", "backup", "camera"], store, damage)
    guard run.ending == .exited(2) else { return }
    #expect(Self.bytes(of: store) == before, "a refused change changed a store that was \(damage.name)")
  }

  @discardableResult
  private func expectMessageOrResult(
    _ arguments: [String], _ store: String, _ damage: DamagedStores.Damage
  ) async throws -> ProcessRun {
    let environment = ["PERMTUI_STORE": store, "XDG_RUNTIME_DIR": home.path, "SWIFT_BACKTRACE": "enable=no"]
    let run = try await ProcessRun.run(
      BuiltProgram.path, arguments, environment: BuiltProgram.environment(home: home, environment))
    let context = "\(arguments) on a store that was \(damage.name): \(run.ending) \(run.messages)"
    // The exit code 4 of "why" means a capability that this machine does not have.
    guard case .exited(let code) = run.ending, [0, 1, 2, 4].contains(code) else {
      Issue.record("\(context)")
      return run
    }
    if code == 2 { #expect((run.output + run.messages).contains(store), "\(context)") }
    if code == 0 { #expect(!run.output.isEmpty, "\(context)") }
    return run
  }

  /// Returns the content of the file and its log; the index is rebuilt from them.
  private static func bytes(of store: String) -> [Data?] {
    ["", "-wal"].map { ending in
      let data = try? Data(contentsOf: URL(filePath: store + ending))
      return data?.isEmpty == true ? nil : data
    }
  }
}
