import Foundation
import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Watching a store", .timeLimit(.minutes(5)))
struct ChangesTests {
  @Test("No change is lost between an overview and the changes after it", arguments: StoreKind.allCases)
  func gapless(_ kind: StoreKind) async throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let position = try box.store.overview().position
    try box.store.decide(Ruling(.deny, subject: thumbs, atoms: [photos]), by: .commandLine)
    var changes = try box.store.changes(since: position).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.entries.map(\.subject) == [thumbs])
    #expect(first.entries.map(\.origin) == [.commandLine])
    try box.store.setSuspended(true, by: here)
    let second = try #require(try await changes.next())
    #expect(second.entries.map(\.kind) == [.suspended])
    #expect(second.position == first.position + 1)
  }

  @Test("Many consumers each see every change", arguments: StoreKind.allCases)
  func many(_ kind: StoreKind) async throws {
    let box = try kind.make()
    let store = box.store
    let rounds = 50
    let seen = try await withThrowingTaskGroup(of: [JournalEntry.ID].self) { group in
      for _ in 0..<4 {
        let changes = try store.changes()
        group.addTask {
          var ids: [JournalEntry.ID] = []
          for try await change in changes {
            ids += change.entries.map(\.id)
            if ids.count >= rounds { break }
          }
          return ids
        }
      }
      for number in 0..<rounds {
        let subject = Subject(label: "program \(number)")
        try store.decide(Ruling(.allow, subject: subject, atoms: [photos]), by: here)
        await Task.yield()
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(seen == Array(repeating: Array(1...JournalEntry.ID(rounds)), count: 4))
  }

  @Test("A cancelled consumer ends", arguments: StoreKind.allCases)
  func cancelled(_ kind: StoreKind) async throws {
    let box = try kind.make()
    let changes = try box.store.changes()
    let task = Task {
      for try await _ in changes {}
      return true
    }
    task.cancel()
    #expect(try await task.value)
  }

  @Test("A change through another connection is seen, with who made it")
  func otherConnection() async throws {
    let folder = try TestFolder()
    let world = FixedEnvironment()
    let one = try SQLiteStore(path: folder.storePath, environment: world.environment)
    let other = try SQLiteStore(path: folder.storePath, environment: world.environment)
    var changes = try one.changes().makeAsyncIterator()
    for number in 0..<20 {
      let origin = Origin.rule("\(number)")
      try other.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: origin)
      #expect(try await changes.next()?.entries.map(\.origin) == [origin])
    }
  }

  @Test("A change by a writer that touches no marker is seen")
  func untouched() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(path: folder.storePath, environment: FixedEnvironment().environment)
    try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    var changes = try store.changes().makeAsyncIterator()
    let plain = try PlainWriter(path: folder.storePath)
    for count in 1...20 {
      try plain.execute("UPDATE journal SET count = count + 1")
      #expect(try await changes.next()?.entries == [])
      #expect(try store.journal(.all, .newest(1)).map(\.count) == [1 + count])
    }
  }

  @Test("The watch ends with its last consumer, and begins again with the next")
  func ends() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(path: folder.storePath, environment: FixedEnvironment().environment)
    let watches = try FolderWatches(on: folder.path + "/permtui")
    for _ in 0..<3 {
      var changes: StoreChanges.Iterator? = try store.changes().makeAsyncIterator()
      #expect(watches.count == 1)
      try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
      #expect(try await changes?.next() != nil)
      changes = nil
      #expect(await watches.untilNone())
    }
  }

  @Test("A store whose file is removed says so to those who watch, look up and change")
  func removed() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(path: folder.storePath, environment: FixedEnvironment().environment)
    var changes = try store.changes().makeAsyncIterator()
    try FileManager.default.removeItem(atPath: folder.storePath)
    let error = StoreError.removed(path: folder.storePath)
    await #expect(throws: error) { try await changes.next() }
    #expect(throws: error) { try store.standing(of: backup, capability: "photos") }
    #expect(throws: error) {
      try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.storePath))
  }
}
