import PermModelTesting
import Testing

@testable import PermModel

let backup = Subject(label: "backup", path: "/home/ana/bin/backup.sh")
let thumbs = Subject(label: "thumbs", path: "/usr/bin/thumbs")
let photos = Atom("photos", "read")
let here = Origin.dashboard(id: "here")

@Suite("Decisions in the store")
struct DecidingTests {
  @Test("A decision is found again, for its program and capability only", arguments: StoreKind.allCases)
  func found(_ kind: StoreKind) throws {
    let box = try kind.make()
    let kept = try box.store.decide(
      Ruling(.allow, subject: backup, atoms: [photos], note: "weekly\tcopy"), by: here)
    #expect(kept.count == 1)
    #expect(try box.store.standing(of: backup, capability: "photos").decisions == [photos: kept[0]])
    #expect(try box.store.standing(of: thumbs, capability: "photos") == box.nothing)
    #expect(try box.store.standing(of: backup, capability: "camera") == box.nothing)
    #expect(try box.store.decisions() == kept)
  }

  @Test("The same label from another file has no decision", arguments: StoreKind.allCases)
  func otherFile(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    for path in ["/tmp/backup.sh", nil] {
      let other = Subject(label: "backup", path: path)
      #expect(try box.store.standing(of: other, capability: "photos").decisions.isEmpty)
    }
    var replaced = backup
    replaced.file = FileIdentity(inode: 2, birth: 1)
    #expect(try box.store.standing(of: replaced, capability: "photos").decisions.isEmpty)
  }

  @Test("A later decision stands in place of the earlier one", arguments: StoreKind.allCases)
  func replaced(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: .commandLine)
    let decisions = try box.store.decisions()
    #expect(decisions.map(\.verdict) == [.deny])
    #expect(decisions.map(\.origin) == [.commandLine])
    let journal = try box.store.journal(.all, .newest(1))
    #expect(journal[0].before?.verdict == .allow)
    #expect(journal[0].after == decisions[0])
  }

  @Test("No answer is kept for once, or for a process that is not known", arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let box = try kind.make()
    for lifetime in [LifetimeChoice.once, .process] {
      #expect(throws: StoreError.nothingToKeep) {
        try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos], lifetime: lifetime), by: here)
      }
    }
    #expect(try box.store.decisions().isEmpty)
    #expect(try box.store.journal(.all, .newest(9)).isEmpty)
  }

  @Test("Forgetting goes back to undecided and tells what it forgot", arguments: StoreKind.allCases)
  func forget(_ kind: StoreKind) throws {
    let box = try kind.make()
    let kept = try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try box.store.decide(Ruling(.allow, subject: thumbs, atoms: [photos]), by: here)
    #expect(try box.store.forget(DecisionFilter(label: "nobody"), by: here).isEmpty)
    #expect(try box.store.forget(DecisionFilter(atoms: []), by: here).isEmpty)
    #expect(try box.store.forget(DecisionFilter(subject: backup), by: here) == kept)
    #expect(try box.store.decisions().map(\.subject) == [thumbs])
    #expect(try box.store.journal(.all, .newest(1))[0].before == kept[0])
  }

  @Test("A suspension lets no allow count until it is lifted", arguments: StoreKind.allCases)
  func suspension(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    try box.store.setSuspended(true, by: here)
    try box.store.setSuspended(true, by: .commandLine)
    let suspended = try box.store.standing(of: backup, capability: "photos")
    #expect(suspended.suspension == Suspension(since: box.world.wall, origin: here))
    #expect(suspended.allowed.isEmpty)
    #expect(suspended.verdict(photos) == .deny)
    #expect(try box.store.overview().suspension?.origin == here)
    try box.store.setSuspended(false, by: here)
    #expect(try box.store.standing(of: backup, capability: "photos").allowed == [photos])
    let kinds = try box.store.journal(.all, .newest(2)).map(\.kind)
    #expect(kinds == [.resumed, .suspended])
  }

  @Test("A mute is seen with every capability and ends after its hour", arguments: StoreKind.allCases)
  func mute(_ kind: StoreKind) throws {
    let box = try kind.make()
    try box.store.decide(.mute(backup), by: here)
    #expect(try box.store.standing(of: backup, capability: "camera").mute?.verdict == .deny)
    #expect(try box.store.standing(of: thumbs, capability: "camera").mute == nil)
    // The mute is for the program, under any label.
    var renamed = backup
    renamed.label = "harmless"
    #expect(try box.store.standing(of: renamed, capability: "camera").mute != nil)
    #expect(try box.store.overview().capabilities.isEmpty)
    box.world.pass(.seconds(3600))
    #expect(try box.store.standing(of: backup, capability: "camera").mute == nil)
  }
}
