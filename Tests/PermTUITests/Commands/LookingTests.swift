import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Looking by command")
struct LookingTests {
  private let shell = TestShell()

  @Test("Without filters, status has one line for each capability, with the first names")
  func overview() {
    shell.run("allow", "backup", "photos")
    shell.run("deny", "thumbs", "photos")
    let run = shell.run("status")
    #expect(run.status == 0)
    #expect(
      run.lines.first == "Capability   Status               Who may use it      Last asked")
    #expect(
      run.lines.contains("photos       1 allowed, 1 denied  backup; not thumbs"), "\(run.output)")
    #expect(!run.lines.contains { $0.hasPrefix("camera") }, "\(run.output)")
    let words = "more are not on this machine; permtui capabilities says why."
    #expect(run.lines.last?.hasSuffix(words) == true, "\(run.output)")
    let told = shell.run("status", "--json").output
    #expect(told.contains(#""name":"camera""#), "\(told)")
    let one = shell.run("status", "camera")
    #expect(one.messages.hasPrefix("Not available on this machine: "), "\(one.messages)")
  }

  @Test("A capability that was asked for is undecided once no answer is kept, and not asked only before")
  func undecided() throws {
    #expect(shell.run("status").lines.contains { $0.hasPrefix("network ") && $0.hasSuffix("  never asked") })
    let request = Request(
      id: Request.ID("asked"), subject: Subject(label: "backup"), capability: "network",
      atoms: [Atom("network", "connect")], askedAt: shell.now)
    try shell.store.open(request)
    try shell.store.close(request.id, .dismissed, by: .library)
    let lines = shell.run("status").lines
    let moment = shell.now.local
    #expect(
      lines.contains { $0.hasPrefix("network      not decided ") && $0.hasSuffix(moment) }, "\(lines)")
  }

  @Test(
    "A capability that this machine does not have keeps its line in the status if something is decided about it"
  )
  func absent() {
    shell.run("deny", "backup", "camera")
    let lines = shell.run("status").lines
    #expect(lines.contains { $0.hasPrefix("camera ") && $0.contains("denied") }, "\(lines)")
  }

  @Test("With a filter, status has one line for each decision that fits, and says when none does")
  func filtered() {
    shell.run("allow", "backup", "photos", "--for", "session")
    shell.run("deny", "backup", "camera")
    shell.run("allow", "thumbs", "photos:add-only")
    #expect(shell.run("status", "photos").lines.count == 3)
    #expect(shell.run("status", "photos:read").lines.count == 2)
    #expect(shell.run("status", "--program", "backup").lines.count == 3)
    #expect(shell.run("status", "photos", "--program", "backup").lines.last?.contains("logout") == true)
    let none = shell.run("status", "contacts")
    #expect(none.status == 1)
    #expect(none.output.isEmpty)
    #expect(none.messages.hasSuffix("Nothing is decided about that.\n"))
  }

  @Test("Status tells decisions to programs as documented")
  func statusJSON() {
    shell.run("allow", "backup", "photos", "--for", "10m")
    #expect(
      shell.run("status", "photos", "--json").output == """
        {"decisions":[{"by":"command-line alone","decided":"2026-11-21T09:00:00.000000Z","last_used":null,\
        "lifetime":{"kind":"until","until":"2026-11-21T09:10:00.000000Z"},"note":null,\
        "program":{"folder":null,"label":"backup","path":null,"pid":null,"sandboxed":false},"replaced":false,"requirement":"photos:read",\
        "verdict":"allow"}],"suspended":null}

        """)
    #expect(
      shell.run("status", "contacts", "--json").output == "{\"decisions\":[],\"suspended\":null}\n")
  }

  @Test("The overview tells programs every capability")
  func overviewJSON() {
    shell.run("allow", "backup", "photos")
    let text = shell.run("status", "--json").output
    #expect(text.hasPrefix("{\"capabilities\":["))
    #expect(
      text.contains(
        #"{"allowed":1,"availability":{"available":true,"found":"the pictures in /"},"denied":0,"last_asked":null,"#
          + #""name":"photos","title":"Photos","waiting":0}"#), "\(text)")
    #expect(text.hasSuffix("],\"suspended\":null}\n"))
  }

  @Test("Why gives the answer, the reason, and the exit status of the answer")
  func why() {
    #expect(shell.run("why", "backup", "photos").status == 3)
    #expect(shell.run("why", "backup", "camera").status == 4)
    shell.run("deny", "backup", "photos")
    let denied = shell.run("why", "backup", "photos")
    #expect(denied.status == 1)
    #expect(denied.output.contains("photos:read denied forever, decided "), "\(denied.output)")
    shell.pass(.seconds(1))
    shell.run("allow", "backup", "photos:read")
    let allowed = shell.run("why", "backup", "photos", "--json")
    #expect(allowed.status == 0)
    #expect(allowed.output.hasPrefix(#"{"answer":"allow","decided_by":{"#), "\(allowed.output)")
  }

  @Test("A capability that a broken configuration would define is not simply said to be missing")
  func brokenConfiguration() {
    let broken = TestShell(configuration: "[capability.vpn]\ntitle = \n")
    for words in [["why", "backup", "vpn"], ["allow", "backup", "vpn"]] {
      let run = broken.run(words)
      #expect(run.status == 64)
      #expect(run.messages.contains("permtui capabilities --check"), "\(run.messages)")
    }
    #expect(!shell.run("why", "backup", "vpn").messages.contains("--check"))
  }

  @Test("Why knows the panic key and the mute")
  func suspendedAndMuted() throws {
    shell.run("allow", "backup", "photos")
    try shell.store.setSuspended(true, by: .library)
    let suspended = shell.run("why", "backup", "photos")
    #expect(suspended.status == 1)
    #expect(suspended.output.contains("suspended"), "\(suspended.output)")
    #expect(shell.run("status").messages.contains("suspended"))
    try shell.store.setSuspended(false, by: .library)
    try shell.store.decide(.mute(Subject(label: "nag")), by: .library)
    let muted = shell.run("why", "nag", "photos")
    #expect(muted.status == 1)
    #expect(muted.output.contains("muted until"), "\(muted.output)")
  }

  @Test("A file put in the place of the one that was allowed would be asked about")
  func replacedFile() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(RandomID.make()).sh"
    try "".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let old = Subject(label: "copy", path: path, file: FileIdentity(inode: 1, birth: 1))
    try shell.store.decide(Ruling(.allow, subject: old, atoms: [Atom("photos", "read")]), by: .library)
    let why = shell.run("why", "copy", "photos")
    #expect(why.status == 3)
    #expect(why.output.contains("its file was replaced since it was decided"), "\(why.output)")
    #expect(shell.run("status", "photos").output.contains("(replaced since)"))
    #expect(shell.run("status", "photos", "--json").output.contains("\"replaced\":true"))
  }

  @Test("If only root can replace a file, another one at its path is the same program")
  func updatedProgram() throws {
    let old = Subject(label: "sh", path: "/bin/sh", file: FileIdentity(inode: 1, birth: 1))
    try shell.store.decide(Ruling(.allow, subject: old, atoms: [Atom("photos", "read")]), by: .library)
    #expect(shell.run("why", "sh", "photos").status == 0)
    #expect(!shell.run("status", "photos").output.contains("replaced"))
  }

  @Test("If a program is named where a capability belongs, the error says how to ask for it")
  func programMeant() {
    shell.run("allow", "agent-1", "photos")
    let run = shell.run("status", "agent-1")
    #expect(run.status == 64)
    #expect(run.messages.hasPrefix("permtui: there is no capability \"agent-1\""), "\(run.messages)")
    #expect(
      run.messages.hasSuffix("  for a program: permtui status --program agent-1"), "\(run.messages)")
    #expect(!shell.run("status", "agent-2").messages.contains("--program"))
    shell.run("allow", "night job", "photos")
    #expect(shell.run("status", "night job").messages.hasSuffix("--program 'night job'"))
  }

  @Test("The log comes oldest first and narrows by program, capability, kind, time and number")
  func log() {
    shell.run("allow", "backup", "photos")
    shell.pass(.seconds(3600))
    shell.run("deny", "video-chat", "camera")
    shell.run("undo")
    let all = shell.run("log")
    #expect(all.lines.count == 3)
    #expect(
      all.lines.first?.hasSuffix(
        "backup: photos:read, allowed forever, by a command, without a broker") == true)
    #expect(shell.run("log", "--program", "backup").lines.count == 1)
    #expect(shell.run("log", "--capability", "camera").lines.count == 2)
    #expect(shell.run("log", "--kind", "undone").lines.count == 1)
    #expect(shell.run("log", "--since", "30m").lines.count == 2)
    #expect(shell.run("log", "--until", "30m").lines.count == 1)
    #expect(shell.run("log", "-n", "1").lines == [all.lines[2]])
    #expect(shell.run("log", "--program", "nobody").status == 1)
    #expect(shell.run("log", "--kind", "nothing").status == 64)
    #expect(shell.run("log", "-n", "0").status == 64)
  }

  @Test("A day has one line for each request: the value, how it ended, who answered, and what became of it")
  func day() throws {
    let atom = Atom("commands", "run", .command("npm test"))
    let request = Request(
      id: Request.ID("asked"), subject: Subject(label: "claude"), capability: "commands", atoms: [atom],
      askedAt: shell.now)
    try shell.store.open(request)
    try shell.store.answer(request.id, Answer(.allow, atoms: [atom]), by: .commandLine)
    try shell.store.noteUse(of: request, hasFailed: true)
    let rule = AutomaticAnswer(
      .deny, subject: Subject(label: "codex"), capability: "commands",
      atoms: [Atom("commands", "run", .command("rm -rf dist"))], reason: "decided before")
    try shell.store.record([rule, rule])
    let lines = shell.run("log", "--day").lines
    #expect(lines.first?.hasSuffix(": 1 asked, 2 denied") == true, "\(lines)")
    let asked = lines.filter { $0.contains("$ npm test") }
    #expect(asked.count == 1 && asked[0].contains("allowed") && asked[0].contains("failed"), "\(lines)")
    let ruled = lines.filter { $0.contains("$ rm -rf dist") }
    #expect(ruled.count == 1 && ruled[0].contains("denied by a rule, 2 times"), "\(lines)")
    #expect(shell.run("log", "--day", "--program", "claude", "--json").lines.count == 1)
    #expect(shell.run("log", "--day", "2001-02-03").status == 1)
  }

  @Test(
    "A day that is none, and options that do not go with it, are refused",
    arguments: [
      ["--day", "2026-02-30"], ["--day", "monday"], ["today"], ["--day", "-n", "3"],
      ["--day", "--since", "1h"],
    ])
  func badDay(_ arguments: [String]) {
    #expect(shell.run(["log"] + arguments).status == 64)
  }

  @Test("The log is one JSON document a line")
  func logJSON() {
    shell.run("allow", "backup", "photos")
    let run = shell.run("log", "--json")
    #expect(run.lines.count == 1)
    #expect(
      run.output.contains(#""at":"2026-11-21T09:00:00.000000Z","before":null,"by":"command-line alone""#))
  }

  @Test("A long log is read page by page and loses nothing")
  func pages() throws {
    let rulings = (0..<1201).map {
      Ruling(.allow, subject: Subject(label: "program-\($0)"), atoms: [Atom("photos", "read")])
    }
    try shell.store.decide(rulings, by: .library)
    let lines = shell.run("log").lines
    #expect(lines.count == 1201)
    #expect(Set(lines).count == 1201)
    #expect(lines.last?.contains("program-1200:") == true)
  }

  @Test("A program's name and text cannot break out of their line")
  func hostileText() throws {
    let subject = Subject(label: "evil\u{1b}[2J\nallowed", path: "/tmp/\u{202e}x")
    try shell.store.decide(
      Ruling(.deny, subject: subject, atoms: [Atom("photos", "read")], note: "a\u{7}b"), by: .library)
    for arguments in [["status", "photos"], ["log"], ["log", "--json"], ["status", "photos", "--json"]] {
      let run = shell.run(arguments)
      #expect(!run.output.unicodeScalars.contains { $0 != "\n" && !VisibleText.isPlain($0) && $0 != "\\" })
      #expect(run.lines.count <= 2)
    }
  }

  @Test("Capabilities say what can be asked for and what this machine has")
  func capabilities() {
    let list = shell.run("capabilities")
    #expect(list.lines.prefix { $0 != "To have what is missing:" }.count == 19)
    #expect(list.lines.contains { $0.hasPrefix("  camera: plug one in") }, "\(list.output)")
    #expect(list.lines.contains { $0.hasPrefix("photos") && $0.contains("read*") })
    let one = shell.run("capabilities", "health")
    #expect(one.lines.count == 22, "\(one.output)")
    #expect(shell.run("capabilities", "helth").messages.contains("health"))
    #expect(shell.run("capabilities", "--json").output.contains(#""requirement":"calendar:reminders""#))
  }

  @Test("Checking a capability only gives an exit status")
  func check() {
    let there = shell.run("capabilities", "--check", "photos")
    #expect(there.status == 0)
    #expect(there.output.isEmpty)
    #expect(shell.run("capabilities", "--check", "photos", "camera").status == 4)
    #expect(shell.run("capabilities", "--check").status == 0)
    let mistaken = TestShell(configuration: "[capability.deploy]\ntitel = \"Deploy\"\n")
    let run = mistaken.run("capabilities", "--check")
    #expect(run.status == 2)
    #expect(run.messages.contains("config.toml: "), "\(run.messages)")
  }

  @Test("Checking reports mistakes in every table, each once")
  func checkAll() {
    let text = "[dashboard]\nbel = true\n[keys]\nallow = [\"Enter\"]\n[jurnal]\n[photos]\nfolder = 1\nx = \n"
    let run = TestShell(configuration: text).run("capabilities", "--check")
    #expect(run.status == 2)
    for place in ["dashboard.bel:", "keys.allow:", "jurnal:", "photos.folder:", "config.toml:8:"] {
      #expect(run.messages.components(separatedBy: place).count == 2, "\(place) in \(run.messages)")
    }
  }

  @Test("A person's own capability works in every command as the built-in ones do")
  func ownCapability() {
    let configuration = """
      [capability.deploy]
      title = "Deploy"
      description = "Put a new version in place."
      requirements = ["staging", "production"]
      """
    let shell = TestShell(configuration: configuration)
    #expect(
      shell.run("allow", "release.sh", "deploy:production").output.hasPrefix("allowed deploy:production"))
    #expect(shell.run("why", "release.sh", "deploy:production").status == 0)
    #expect(shell.run("status").lines.contains { $0.hasPrefix("deploy") && $0.contains("release.sh") })
    #expect(shell.run("capabilities", "deploy").lines.count == 3)
  }

  @Test("A capability that the machine's owner forbids is denied, whatever was decided, and why says so")
  func policy() {
    let shell = TestShell(policy: MachinePolicy([.init(capability: "photos", parts: ["read"])]))
    shell.run("allow", "backup", "photos")
    let run = shell.run("why", "backup", "photos")
    #expect(run.status == 1)
    #expect(run.output.contains("policy"), "\(run.output)")
  }
}
