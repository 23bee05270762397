import PermModel
import Testing

@testable import PermTUI

@Suite("Deciding by command")
struct DecidingTests {
  private let shell = TestShell()

  @Test("An allow is kept, said, and journalled as a change that no broker made")
  func allow() throws {
    let run = shell.run("allow", "backup", "photos")
    #expect(run.status == 0)
    #expect(run.output == "allowed photos:read for backup forever\n")
    let decision = try #require(try shell.store.decisions().first)
    #expect(decision.subject == Subject(label: "backup"))
    #expect(decision.atom == Atom("photos", "read"))
    #expect(decision.verdict == .allow)
    #expect(decision.origin == .commandLineAlone)
    #expect(decision.lifetime == .forever)
  }

  @Test("Allowing a bare capability allows its usual part, denying one denies all of it")
  func bareNames() throws {
    shell.run("allow", "khal", "calendar")
    shell.run("deny", "tracker", "calendar")
    let decisions = try shell.store.decisions()
    #expect(decisions.filter { $0.verdict == .allow }.map(\.atom.name) == ["events"])
    #expect(decisions.filter { $0.verdict == .deny }.map(\.atom.name) == ["events", "reminders"])
  }

  @Test("A decision for a time is over when the time is")
  func duration() throws {
    shell.run("allow", "tracker", "photos", "--for", "10m")
    #expect(shell.run("why", "tracker", "photos").status == 0)
    shell.pass(.seconds(600))
    #expect(shell.run("why", "tracker", "photos").status == 3)
  }

  @Test(
    "An answer that a command cannot keep is refused, and none is stored",
    arguments: [
      ["allow", "backup", "photos", "--for", "once"], ["allow", "backup", "photos", "--for", "process"],
      ["deny", "backup", "photos", "--for", "2020-01-01T00:00"], ["allow", "backup", "passbook"],
      ["allow", "backup", "fotos"], ["allow", "backup", "photos:everything"], ["allow", "", "photos"],
      ["allow", "bad\u{202e}name", "photos"], ["allow", String(repeating: "x", count: 65), "photos"],
      ["allow", "backup"], ["deny", "backup", "photos", "--for", "10x"],
    ])
  func refused(arguments: [String]) throws {
    let run = shell.run(arguments)
    #expect(run.status == 64, "\(run.messages)")
    #expect(!run.messages.isEmpty)
    #expect(run.output.isEmpty)
    #expect(try shell.store.decisions().isEmpty)
  }

  @Test("A program that was not seen can be named by a file, which must be there")
  func byPath() throws {
    #expect(shell.run("allow", "/bin/sh", "photos").status == 0)
    let subject = try #require(try shell.store.decisions().first?.subject)
    // Only root can put another file at that path.
    #expect(subject.path == ProgramName(typed: "/bin/sh").path)
    #expect(subject.file == nil)
    let run = shell.run("allow", "/nonexistent/tool", "photos")
    #expect(run.status == 2)
    #expect(run.messages.contains("/nonexistent/tool"))
  }

  @Test("A label that fits several programs is an error that lists them, and each can still be named")
  func ambiguous() throws {
    for path in ["/home/ana/backup", "/tmp/backup"] {
      let subject = Subject(label: "backup", path: path, file: FileIdentity(inode: 2, birth: 1))
      try shell.store.decide(
        Ruling(.allow, subject: subject, atoms: [Atom("photos", "read")]), by: .library)
    }
    let run = shell.run("forget", "backup")
    #expect(run.status == 64)
    #expect(run.messages.contains("backup@/home/ana/backup"))
    #expect(run.messages.contains("backup@/tmp/backup"))
    #expect(shell.run("forget", "/tmp/backup").status == 0)
    #expect(try shell.store.decisions().map(\.subject.path) == ["/home/ana/backup"])
    #expect(shell.run("forget", "backup@/home/ana/backup").status == 0)
    #expect(try shell.store.decisions().isEmpty)
  }

  @Test("A label means the one program seen under it, beside what was decided before it was seen")
  func labelOfOne() throws {
    shell.run("allow", "backup", "photos")
    let seen = Subject(label: "backup", path: "/home/ana/backup", file: FileIdentity(inode: 2, birth: 1))
    try shell.store.decide(Ruling(.deny, subject: seen, atoms: [Atom("camera")]), by: .library)
    #expect(shell.run("allow", "backup", "contacts").status == 0)
    #expect(try shell.store.decisions().filter { $0.atom.capability == "contacts" }.map(\.subject) == [seen])
  }

  @Test("Forgetting forgets only what is named, as one change")
  func forget() throws {
    shell.run("allow", "khal", "calendar:events,reminders")
    shell.run("allow", "khal", "contacts")
    #expect(
      shell.run("forget", "khal", "calendar:events").output
        == "forgot calendar:events for khal (was allowed)\n")
    #expect(shell.run("forget", "khal", "calendar").lines.count == 1)
    #expect(shell.run("forget", "khal", "calendar").status == 1)
    #expect(shell.run("forget", "khal").status == 0)
    #expect(try shell.store.decisions().isEmpty)
    shell.run("undo")
    #expect(try shell.store.decisions().map(\.atom.capability) == ["contacts"])
  }

  @Test("Allows that no program used for long are listed first, and forgotten with --yes, as one change")
  func unused() throws {
    shell.run("allow", "old", "photos")
    shell.run("allow", "elder", "camera")
    shell.run("deny", "old", "contacts:read")
    shell.pass(.seconds(91 * 86_400))
    shell.run("allow", "new", "photos")
    let list = shell.run("forget", "--unused")
    #expect(list.status == 0)
    #expect(list.lines.count == 2)
    #expect(list.lines.allSatisfy { $0.hasPrefix("would forget ") && $0.hasSuffix(", never used)") })
    #expect(list.messages.contains("To forget: permtui forget --unused --yes"))
    #expect(try shell.store.decisions().count == 4)
    let one = shell.run("forget", "old", "--unused", "--days", "30")
    #expect(one.lines.count == 1)
    #expect(one.messages.contains("permtui forget old --unused --days 30 --yes"))
    #expect(shell.run("forget", "--unused", "--yes").lines.count == 2)
    #expect(try shell.store.decisions().map(\.subject.label).sorted() == ["new", "old"])
    #expect(shell.run("forget", "--unused", "--yes").status == 1)
    #expect(shell.run("forget", "new", "--unused").status == 1)
    shell.run("undo")
    #expect(try shell.store.decisions().count == 4)
  }

  @Test(
    "A word of forget --unused in the wrong place is an error",
    arguments: [
      ["forget"], ["forget", "old", "--yes"], ["forget", "old", "--days", "3"],
      ["forget", "old", "photos", "--unused"], ["forget", "--unused", "--days", "0"],
      ["forget", "--unused", "--days", "99999"], ["forget", "--unused", "--days", "soon"],
    ])
  func unusedWrong(_ arguments: [String]) throws {
    shell.run("allow", "old", "photos")
    #expect(shell.run(arguments).status == 64)
    #expect(try shell.store.decisions().count == 1)
  }

  @Test("An unknown program is an error that says what was meant")
  func unknownProgram() {
    shell.run("allow", "backup", "photos")
    let run = shell.run("forget", "bakcup")
    #expect(run.status == 1)
    #expect(run.messages.contains("did you mean 'backup'?"), "\(run.messages)")
  }

  @Test("Undo says what it would do, does it, and says when there is nothing left")
  func undo() throws {
    shell.run("allow", "backup", "photos")
    let plan = shell.run("undo", "--dry-run")
    #expect(plan.output.contains("would undo photos:read for backup"))
    #expect(try shell.store.decisions().count == 1)
    let run = shell.run("undo")
    #expect(run.status == 0)
    #expect(run.output.contains("undid photos:read for backup"))
    #expect(run.messages.contains("may still be running"))
    #expect(try shell.store.decisions().isEmpty)
    #expect(shell.run("undo").status == 1)
    #expect(shell.run("undo", "--dry-run").status == 1)
  }
}
