import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Undo")
struct UndoTests {
  @Test("Changes are taken back one by one, the newest first", arguments: StoreKind.allCases)
  func oneByOne(_ kind: StoreKind) throws {
    let box = try kind.make()
    let first = try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: .commandLine)
    try box.store.forget(DecisionFilter(subject: backup), by: here)
    #expect(try box.store.undo(by: here).change.entries.map(\.kind) == [.forgotten])
    #expect(try box.store.decisions().map(\.verdict) == [.deny])
    #expect(try box.store.undo(by: here).change.origin == .commandLine)
    #expect(try box.store.decisions() == first)
    try box.store.undo(by: here)
    #expect(try box.store.decisions().isEmpty)
    #expect(throws: StoreError.nothingToUndo) { try box.store.undo(by: here) }
  }

  @Test("A preview tells what would be undone and changes nothing", arguments: StoreKind.allCases)
  func preview(_ kind: StoreKind) throws {
    let box = try kind.make()
    #expect(try box.store.preview(.undo) == nil)
    let kept = try box.store.decide(
      Ruling(.allow, subject: backup, atoms: [photos, Atom("photos", "add-only")]), by: here)
    let preview = try #require(try box.store.preview(.undo))
    #expect(preview.change.entries.compactMap(\.after) == kept)
    #expect(preview.conflicts.isEmpty)
    #expect(try box.store.decisions().count == 2)
    #expect(try box.store.undo(preview.change.id, by: here) == preview)
    #expect(try box.store.decisions().isEmpty)
  }

  @Test(
    "An undo is refused if its decisions have changed since, and no decision is changed",
    arguments: StoreKind.allCases)
  func refused(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let change = try #require(try box.store.preview(.undo)).change
    let later = try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: .commandLine)
    let conflict = UndoConflict(
      key: later[0].key, expected: change.entries[0].after, found: later[0])
    #expect(throws: StoreError.undoRefused(change, conflicts: [conflict])) {
      try box.store.undo(change.id, by: here)
    }
    #expect(try box.store.decisions() == later)
  }

  @Test("A use is no change that stands in the way", arguments: StoreKind.allCases)
  func used(_ kind: StoreKind) throws {
    let box = try kind.make()
    let kept = try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try box.store.record(
      AutomaticAnswer(
        .allow, subject: backup, capability: "photos", atoms: [photos], reason: "decided", decisions: kept))
    try box.store.undo(by: here)
    #expect(try box.store.decisions().isEmpty)
  }

  @Test(
    "A decision that ended by itself is passed over, and is not brought back", arguments: StoreKind.allCases)
  func ended(_ kind: StoreKind) throws {
    let box = try kind.make()
    let short = Ruling(.allow, subject: backup, atoms: [photos], lifetime: .duration(.seconds(10)))
    try box.store.decide(Ruling(.allow, subject: thumbs, atoms: [photos]), by: here)
    try box.store.decide(short, by: here)
    try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    box.world.pass(.seconds(10))
    try box.store.undo(by: here)
    #expect(try box.store.decisions().map(\.subject) == [thumbs])
    try box.store.undo(by: here)
    #expect(try box.store.decisions().isEmpty)
  }

  @Test("The last thousand changes can be undone, and no more", .usesOneThread, arguments: StoreKind.allCases)
  func thousand(_ kind: StoreKind) throws {
    let box = try kind.make()
    for number in 0..<1_005 {
      let subject = Subject(label: "program \(number)")
      try box.store.decide(Ruling(.allow, subject: subject, atoms: [photos]), by: here)
    }
    for _ in 0..<1_000 { try box.store.undo(by: here) }
    #expect(try box.store.decisions().count == 5)
    #expect(throws: StoreError.nothingToUndo) { try box.store.undo(by: here) }
  }

  @Test("An undone change is made again, the last undone first", arguments: StoreKind.allCases)
  func redone(_ kind: StoreKind) throws {
    let box = try kind.make()
    #expect(throws: StoreError.nothingToRedo) { try box.store.take(.redo, by: here) }
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let newest = try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: .commandLine)
    #expect(throws: StoreError.nothingToRedo) { try box.store.take(.redo, by: here) }
    try box.store.undo(by: here)
    try box.store.undo(by: here)
    #expect(try box.store.decisions().isEmpty)
    #expect(try box.store.take(.redo, by: here).change.entries.map(\.verdict) == [.allow])
    let redone = try box.store.take(.redo, by: .commandLine)
    #expect(redone.origin == here)
    #expect(try box.store.decisions() == newest)
    #expect(throws: StoreError.nothingToRedo) { try box.store.take(.redo, by: here) }
    try box.store.undo(by: here)
    #expect(try box.store.decisions().map(\.verdict) == [.allow])
    #expect(try box.store.journal(.all, .newest(3)).map(\.kind) == [.undone, .redone, .redone])
  }

  @Test("A decision made since refuses the redo, and nothing is changed", arguments: StoreKind.allCases)
  func redoRefused(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    let change = try box.store.undo(by: here).change
    let later = try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: .commandLine)
    #expect(throws: StoreError.nothingToRedo) { try box.store.take(.redo, by: here) }
    #expect(throws: StoreError.self) { try box.store.take(.redo, of: change.id, by: here) }
    #expect(try box.store.decisions() == later)
  }

  @Test("A decision that has ended since is not made again", arguments: StoreKind.allCases)
  func redoEnded(_ kind: StoreKind) throws {
    let box = try kind.make()
    let short = Ruling(.allow, subject: backup, atoms: [photos], lifetime: .duration(.seconds(10)))
    try box.store.decide(short, by: here)
    try box.store.undo(by: here)
    box.world.pass(.seconds(10))
    #expect(throws: StoreError.nothingToRedo) { try box.store.take(.redo, by: here) }
    #expect(try box.store.decisions().isEmpty)
  }

  @Test("An undo after a decision has ended can itself be redone", arguments: StoreKind.allCases)
  func redoOverEnded(_ kind: StoreKind) throws {
    let box = try kind.make()
    let short = Ruling(.allow, subject: backup, atoms: [photos], lifetime: .duration(.seconds(10)))
    try box.store.decide(short, by: here)
    let denial = try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    box.world.pass(.seconds(10))
    try box.store.undo(by: here)
    #expect(try box.store.decisions().isEmpty)
    try box.store.take(.redo, by: here)
    #expect(try box.store.decisions() == denial)
  }
}
