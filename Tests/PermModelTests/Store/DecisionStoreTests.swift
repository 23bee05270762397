import Glibc
import PermModelTesting
import Testing

@testable import PermModel

@Suite("A store that a program has opened", .timeLimit(.minutes(5)))
struct DecisionStoreTests {
  private let backup = Subject(label: "backup")
  private let store = MemoryStore()
  private let read = Atom("photos", "read")

  private func decide(_ verdict: Verdict, _ atom: Atom? = nil) throws {
    try store.decide(Ruling(verdict, subject: backup, atoms: [atom ?? read]), by: .commandLine)
  }

  @Test("It can be read, by program and by capability")
  func reading() throws {
    try decide(.allow)
    try decide(.deny, Atom("camera"))
    let opened: any DecisionStore = store
    #expect(try opened.decisions(of: backup).map(\.atom.description) == ["camera", "photos:read"])
    #expect(try opened.decisions(of: nil, about: "photos").map(\.verdict) == [.allow])
    #expect(try opened.decisions(of: Subject(label: "other")).isEmpty)
    #expect(try opened.requests.isEmpty)
  }

  @Test("A decision can be revoked once")
  func revoking() throws {
    try decide(.allow)
    let opened: any DecisionStore = store
    let decision = try #require(try opened.decisions(of: backup).first)
    #expect(try opened.revoke(decision))
    #expect(try !opened.revoke(decision))
    #expect(try opened.decisions(of: backup).isEmpty)
    try decide(.allow)
    #expect(try opened.revokeAll(of: backup).count == 1)
  }

  @Test("A change can be undone and redone, and says what it was")
  func undoing() throws {
    try decide(.allow)
    let opened: any DecisionStore = store
    let undone = try opened.undo()
    #expect(undone.map(\.after?.atom) == [read] && undone.map(\.before) == [nil])
    #expect(try opened.decisions(of: backup).isEmpty)
    #expect(throws: StoreError.nothingToUndo) { try opened.undo() }
    #expect(try opened.redo() == undone)
    #expect(try opened.decisions(of: backup).count == 1)
  }

  @Test("Its changes can be followed")
  func following() async throws {
    let opened: any DecisionStore = store
    var changes = try opened.changes.makeAsyncIterator()
    try decide(.allow)
    try decide(.deny)
    var found: [ChangedDecision] = []
    while found.count < 2, let change = try await changes.next() { found += change.decisions }
    #expect(found.map(\.before?.verdict) == [nil, .allow])
    #expect(found.map(\.after?.verdict) == [.allow, .deny])
  }

  @Test("A request that waits is listed", .timeLimit(.minutes(5)))
  func requests() async throws {
    let answerer = try TestAnswerer()
    async let found = answerer.authorizer().authorize(Capability.Photos(.read), reason: "weekly copy")
    _ = await answerer.presenter.next()
    let opened: any DecisionStore = answerer.store
    #expect(try opened.requests.map(\.reason) == ["weekly copy"])
    answerer.presenter.answer(.dismissed)
    _ = try await found
  }

  @Test("The store of another user is refused with a typed error", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let machine = try TestMachine()
    let folder = "\(machine.root)/store"
    machine.makeFolder(folder)
    machine.write("", to: "\(folder)/permissions.sqlite")
    for path in [folder, "\(folder)/permissions.sqlite"] { try #require(chown(path, 65534, 65534) == 0) }
    #expect {
      try SQLiteStore(at: "\(folder)/permissions.sqlite")
    } throws: { error in
      guard case StoreError.wrongOwner? = error as? StoreError else { return false }
      return "\(error)".contains("not to you") && "\(error)".contains("a store of your own")
    }
  }
}
