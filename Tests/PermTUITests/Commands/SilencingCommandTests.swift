import PermModel
import Testing

@testable import PermTUI

@Suite("Silencing by command")
struct SilencingCommandTests {
  private let shell = TestShell()
  private let nag = Subject(label: "nag", path: "/home/ana/nag", file: FileIdentity(inode: 2, birth: 1))

  @Test("A panic suspends everything until it is lifted, and the journal says that no broker did it")
  func panic() throws {
    shell.run("allow", "backup", "photos")
    let run = shell.run("panic")
    #expect(run.status == 0)
    #expect(run.output == "panic: everything new is denied, and all allows are suspended\n")
    #expect(run.messages.contains("may still be running"))
    #expect(try shell.store.suspension()?.origin == .commandLineAlone)
    #expect(shell.run("why", "backup", "photos").status == 1)
    let again = shell.run("panic")
    #expect(again.status == 0)
    #expect(again.messages == "A panic is on already.\n")
    #expect(shell.run("panic", "--lift").status == 0)
    #expect(shell.run("why", "backup", "photos").status == 0)
    let none = shell.run("panic", "--lift")
    #expect(none.status == 1)
    #expect(none.messages == "permtui: no panic is on")
    #expect(shell.run("log", "--kind", "suspended").lines.count == 1)
  }

  @Test("While a panic holds, tables and JSON say that what is allowed is suspended")
  func suspended() {
    shell.run("allow", "backup", "photos")
    shell.run("deny", "thumbs", "photos")
    shell.run("panic")
    let status = shell.run("status")
    #expect(status.lines.contains("photos       suspended    backup; not thumbs"), "\(status.output)")
    #expect(!status.output.contains("allowed"))
    let one = shell.run("status", "photos")
    #expect(one.lines.contains { $0.hasPrefix("backup") && $0.contains("suspended") }, "\(one.output)")
    #expect(one.lines.contains { $0.hasPrefix("thumbs") && $0.contains("denied") }, "\(one.output)")
    #expect(one.messages.contains("all allows are suspended"), "\(one.messages)")
    let programs = shell.run("programs").lines
    #expect(programs.contains { $0.hasPrefix("backup") && $0.contains("  suspended: photos") }, "\(programs)")
    #expect(programs.contains { $0.hasPrefix("thumbs") && !$0.contains("suspended") }, "\(programs)")
    let since = #""suspended":{"by":"command-line alone","since":"2026-11-21T09:00:00.000000Z"}"#
    for arguments in [["status"], ["status", "photos"], ["programs"]] {
      let document = shell.run(arguments + ["--json"]).output
      #expect(document.hasSuffix("\(since)}\n"), "\(document)")
    }
    shell.run("panic", "--lift")
    #expect(shell.run("status", "photos", "--json").output.hasSuffix(#""suspended":null}"# + "\n"))
    #expect(!shell.run("programs").output.contains("suspended"))
  }

  @Test("A mute holds for an hour or as long as said, is listed, and can be taken back and undone")
  func mute() throws {
    try shell.store.decide(Ruling(.allow, subject: nag, atoms: [Atom("photos", "read")]), by: .library)
    let hour = shell.run("mute", "nag")
    #expect(hour.status == 0, "\(hour.messages)")
    #expect(hour.output.hasPrefix("muted nag until "))
    #expect(shell.run("why", "nag", "photos").status == 0, "what was decided before still counts")
    #expect(shell.run("why", "nag", "photos:add-only").output.contains("muted until"))
    #expect(shell.run("programs").lines.last?.contains("muted until") == true)
    shell.pass(.seconds(3600))
    #expect(shell.run("unmute", "nag").status == 1)
    #expect(shell.run("mute", "/home/ana/nag", "--for", "forever").output == "muted nag forever\n")
    #expect(shell.run("unmute", "nag").output == "unmuted nag\n")
    let none = shell.run("unmute", "nag")
    #expect(none.status == 1)
    #expect(none.messages == "permtui: nag is not muted")
    shell.run("undo")
    #expect(shell.run("programs").output.contains("muted forever"))
  }

  @Test("A mute is told in the same words by every command, and by the dashboard")
  func muteWords() throws {
    try shell.store.decide(.mute(nag, for: .forever), by: .library)
    let row = shell.run("status", "--program", "nag").lines.last ?? ""
    #expect(row.contains("  everything   muted   forever"), "\(row)")
    #expect(shell.run("log").output.contains("nag: everything, muted forever, by the program"))
    let what = "would undo everything for nag: muted forever, would be undecided again\n"
    #expect(shell.run("undo", "--dry-run").output == what)
    let entry = try #require(try shell.store.journal(.all, .newest(1)).first)
    let shown = JournalRow(entry, catalogue: .builtIn, own: .library)
    #expect(shown.kind == "muted")
    #expect(shown.what == "everything")
    #expect(shell.run("forget", "nag").output == "forgot everything for nag (was muted)\n")
    #expect(shell.run("log").output.contains("nag: everything, was muted"))
  }

  @Test(
    "A program that cannot be muted is refused with a reason, and no mute is stored",
    arguments: [
      (["mute", "nobody"], 1), (["unmute", "nobody"], 1), (["mute", "everyone"], 64),
      (["mute", "backup", "--for", "once"], 64), (["mute", "backup", "--for", "2020-01-01T00:00"], 64),
      (["mute", "/nonexistent/tool"], 2),
    ] as [([String], Int32)])
  func refused(arguments: [String], status: Int32) throws {
    shell.run("allow", "backup", "photos")
    let run = shell.run(arguments)
    #expect(run.status == status, "\(run.messages)")
    #expect(!run.messages.isEmpty && run.output.isEmpty)
    #expect(try shell.store.decisions(.mutes).isEmpty)
  }

  @Test("Programs are listed with what each may use, and those that only wait too")
  func programs() throws {
    #expect(shell.run("programs").status == 1)
    shell.run("allow", "backup", "photos", "camera")
    shell.run("deny", "backup", "microphone")
    try shell.store.decide(.mute(nag), by: .library)
    let request = Request(
      id: Request.ID("waits"), subject: Subject(label: "later", path: "/home/ana/later"),
      capability: "photos",
      atoms: [Atom("photos", "read")], askedAt: shell.now)
    try shell.store.open(request)
    let run = shell.run("programs")
    #expect(run.status == 0)
    #expect(
      run.lines.map { $0.split(separator: " ").first } == ["Program", "backup", "later", "nag"],
      "\(run.output)")
    #expect(run.lines[1].contains("camera, photos") && run.lines[1].contains("microphone"))
    #expect(run.lines[2].hasSuffix("1 waiting"))
    #expect(run.lines[3].contains("/home/ana/nag") && run.lines[3].contains("muted until"))
    shell.run("panic")
    #expect(shell.run("programs").messages.contains("all allows are suspended"))
  }

  @Test("Programs are told to programs as documented")
  func programsJSON() throws {
    #expect(shell.run("programs", "--json").output == "{\"programs\":[],\"suspended\":null}\n")
    shell.run("allow", "backup", "photos")
    try shell.store.decide(.mute(Subject(label: "backup"), for: .forever), by: .library)
    #expect(
      shell.run("programs", "--json").output == """
        {"programs":[{"allowed":["photos:read"],"denied":[],"muted":{"kind":"forever"},\
        "program":{"folder":null,"label":"backup","path":null,"pid":null,"sandboxed":false},\
        "replaced":false,"waiting":0}],"suspended":null}

        """)
  }
}
