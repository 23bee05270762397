import Foundation
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Values by command")
struct ValueCommandTests {
  private let shell = TestShell()
  /// A folder whose path leads through no links.
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stored() throws -> [String] {
    try shell.store.decisions().map { "\($0.subject.label) \($0.verdict.past) \($0.atom)" }
  }

  // MARK: Several at once

  @Test("Several capabilities are one change: a line for each, and one undo takes all of them back")
  func several() throws {
    let run = shell.run(
      "allow", "player", "photos", "files:read@/srv/a", "files:read@/srv/b", "cloud:read@nas")
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      run.lines == [
        "allowed photos:read for player forever", "allowed files:read@/srv/a for player forever",
        "allowed files:read@/srv/b for player forever", "allowed cloud:read@nas for player forever",
      ])
    #expect(try stored().count == 4)
    #expect(shell.run("undo").lines.count == 4)
    #expect(try stored().isEmpty)
  }

  @Test("The list of programs says which capabilities are decided for some values only")
  func someValues() {
    shell.run("allow", "player", "files:read@/srv/a", "photos")
    shell.run("deny", "player", "commands:run@rm -rf x")
    let line = shell.run("programs").lines.last ?? ""
    #expect(line.contains("files (some), photos ") && line.contains("commands (some)"), "\(line)")
  }

  @Test("If one of several is wrong, none is kept")
  func severalWithMistake() throws {
    for wrong in [
      "fotos", "files:read", "files:read@/a/../b/../../nope/../x", "network:connect@exa mple.org",
      // Each of these leads to the root, whose text form stands for everything below it.
      "files:read@/.", "files:read@/usr/..", "files:read@/proc/self/root",
    ] {
      let run = shell.run("deny", "player", "photos", wrong)
      #expect(run.status == 64, "\(wrong): \(run.messages)")
      #expect(run.output.isEmpty)
    }
    #expect(try stored().isEmpty)
  }

  @Test("Forgetting several is one change; a bare name means every scope")
  func forgetSeveral() throws {
    shell.run("allow", "player", "files:read@/srv/a", "files:read@/srv/b/", "photos", "cloud:read@nas")
    #expect(shell.run("forget", "player", "files", "photos").lines.count == 3)
    #expect(try stored() == ["player allowed cloud:read@nas"])
    shell.run("undo")
    #expect(try stored().count == 4)
    #expect(
      shell.run("forget", "player", "files:read@/srv/b/").lines == [
        "forgot files:read@/srv/b/ for player (was allowed)"
      ])
    #expect(shell.run("forget", "player", "files:read@/srv/").status == 1)
  }

  @Test("A denial says how many allows it has taken back, and one undo brings them back")
  func takenBack() throws {
    shell.run("allow", "player", "files:read@/srv/a", "files:write@/srv/b/", "files:read@/home/c", "photos")
    let run = shell.run("deny", "player", "files:read@/srv/")
    #expect(run.lines == ["denied files:read@/srv/ for player forever"])
    #expect(run.messages.contains("This took back 2 allows inside of what is denied.\n"))
    #expect(try stored().count == 3)
    shell.run("undo")
    #expect(try stored().count == 4)
    #expect(
      !shell.run("deny", "player", "files:write@/srv/b/").messages.contains("took back"),
      "an allow of the same is replaced, not taken back")
  }

  @Test("allow and deny say what they cover, and read stars at the end of a path as the folder")
  func covers() throws {
    let folder = shell.run("deny", "everyone", "files:read@/srv/none/**")
    #expect(folder.lines == ["denied files:read@/srv/none/ for everyone forever"])
    #expect(folder.messages.contains("This covers everything in /srv/none/."))
    for (capability, words) in [
      ("network:connect@*.example.org", "but not example.org itself"),
      ("commands:run@git push …", "wherever it is"),
      ("commands:run@ls -l", "also within longer lines"), ("environment:read@AWS_*", "begins with AWS_"),
    ] {
      #expect(shell.run("deny", "everyone", capability).messages.contains(words), "\(capability)")
    }
    #expect(shell.run("allow", "player", "files:write@/srv/a/").messages.contains("protected names"))
  }

  @Test("git push can be allowed to an address only")
  func push() throws {
    let open = shell.run("allow", "player", "commands:run@git push …")
    #expect(open.status != 0 && open.messages.contains("name the address"), "\(open.messages)")
    let bound = shell.run("allow", "player", "commands:run@git push git@example.org:a.git …")
    #expect(bound.status == 0 && bound.messages.contains("sends one branch there"), "\(bound.messages)")
    #expect(shell.run("deny", "player", "commands:run@git push …").messages.contains("took back"))
  }

  @Test("A pattern of another tool is refused with the spelling that works, and nothing is decided")
  func patterns() throws {
    for (capability, advice) in [
      ("files:read@**/.env", "write each path"), ("commands:run@Bash(git push:*)", "commands:run@git push"),
      ("tools:use@mcp__github", "mcp__github__*"), ("files:read@$HOME/.ssh/", "write ~/.ssh/"),
    ] {
      for verb in ["allow", "deny"] {
        let run = shell.run(verb, "player", capability)
        #expect(run.status == 64, "\(capability)")
        #expect(run.messages.contains(advice), "\(run.messages)")
      }
    }
    #expect(try stored().isEmpty)
  }

  @Test("A denial because of something inside names it, also in the journal", arguments: [1, 2])
  func deniedInside(count: Int) throws {
    // The rules are the same for a single program and for everyone.
    for program in ["player", "everyone"] {
      shell.run(["deny", program] + ["files:read@/srv/x/key", "files:read@/srv/y"].prefix(count))
    }
    let definition = try #require(CapabilityCatalogue.builtIn["files"]?.definition)
    let judge = Judge(of: Subject(label: "player"), definition, under: .none)
    func reason(_ text: String) throws -> String? {
      let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
      return try shell.store.judgement(on: atoms, by: judge).decided.denialInside(atoms)
    }
    let more = count == 1 ? ", which is inside, was" : " and 1 more, which are inside, were"
    for asked in ["files:read@/srv/", "files:write@/srv/", "files:read@*"] {
      #expect(try reason(asked) == "files:read@/srv/x/key\(more) denied", "\(asked)")
    }
    #expect(try reason("files:read@/srv/x/key") == nil)
    #expect(try reason("files:read@/srv/z") == nil)
  }

  @Test(
    "A waiting request is listed with its spelling and the scopes of an answer, in the words of the alert")
  func pending() throws {
    let path = try Scope("/srv/x/a", kind: .path)
    var facts = ValueFacts()
    facts.paths = [
      PathFact(
        scope: path, spelling: try Scope("/srv/\"b\", as seen", kind: .path),
        file: LinkedFile(device: 1, inode: 2))
    ]
    try shell.store.open(
      Request(
        id: Request.ID("1"), subject: Subject(label: "player"), capability: "files",
        atoms: [Atom("files", "read", path)], askedAt: shell.now, facts: facts))
    #expect(
      shell.run("pending").lines.dropFirst() == [
        #"  Asked as: "/srv/\"b\", as seen", a link"#, "  The file has several names (hard links).",
        "  Covers: this file; wider: all of /srv/x/",
        "  Keep for: this request, until the program ends, until logout, ten minutes, eight hours, forever",
      ])
    let json = shell.run("pending", "--json").output
    for part in [
      #""covers":[["files:read@/srv/x/a"],["files:read@/srv/x/"]]"#,
      #""paths":[{"asked_as":"/srv/\"b\", as seen","doubt":null,"hard_links":true,"path":"/srv/x/a"}]"#,
      #"{"allow":true,"deny":true,"lifetime":{"kind":"once"},"reason":null}"#,
    ] { #expect(json.contains(part), "\(json)") }
  }

  @Test("The list of waiting requests tells programs when each gives up")
  func givesUp() throws {
    for (id, end) in [("1", shell.now + .seconds(60)), ("2", nil)] {
      try shell.store.open(
        Request(
          id: Request.ID(id), subject: Subject(label: "player"), capability: "photos",
          atoms: [Atom("photos", "read")], askedAt: shell.now, givesUpAt: end))
    }
    let lines = shell.run("pending", "--json").lines
    try #require(lines.count == 2, "\(lines)")
    #expect(lines[0].contains(#""gives_up":"2026-11-21T09:01:00.000000Z""#), "\(lines[0])")
    #expect(lines[1].contains(#""gives_up":null"#), "\(lines[1])")
  }

  @Test("The home folder is shortened in tables and sentences, never in JSON and in what is exported")
  func homeFolder() throws {
    let home = HomeFolder.path
    try #require(home != "/")
    let run = shell.run("deny", "player", "files:read@\(home)/a/~")
    #expect(run.lines == ["denied files:read@~/a/~ for player forever"])
    for arguments in [["status", "files"], ["log"], ["undo", "--dry-run"]] {
      let output = shell.run(arguments).output
      #expect(output.contains("files:read@~/a/~") && !output.contains("\(home)/a"), "\(output)")
    }
    for arguments in [["status", "files", "--json"], ["log", "--json"], ["export"]] {
      let output = shell.run(arguments).output
      #expect(output.contains("\(home)/a/~") && !output.contains("~/a"), "\(output)")
    }
  }

  // MARK: Bad input

  @Test("A message repeats a value as it is written, and only the beginning of a long one")
  func messages() throws {
    let run = shell.run("allow", "claude", "commands:run@tmux a\\nb")
    #expect(run.messages.contains("commands:run@tmux a\\nb cannot be allowed"), "\(run.messages)")
    for long in [
      "commands:run@" + String(repeating: "x", count: 8193),
      "files:read@" + String(repeating: "/x", count: 2100),
      "network:connect@" + String(repeating: "x.", count: 300) + "\\", String(repeating: "x", count: 3000),
    ] {
      let message = shell.run("deny", "player", long).messages
      #expect(message.contains("[...]"), "\(message)")
      #expect(message.count < 300, "\(message)")
    }
  }

  @Test(
    "A wrong value is refused with a sentence, and nothing is kept",
    arguments: [
      ("files:read@" + String(repeating: "/x", count: 2100), "at most 4096"),
      ("commands:run@" + String(repeating: "x", count: 8193), "at most 8192"),
      ("environment:read@" + String(repeating: "x", count: 257), "at most 256"),
      ("network:connect@user@example.org", "not a host"), ("network:connect@a\\b", "not a host"),
      ("network:connect@example.org:0", "port"), ("network:connect@*.org", "at least two parts"),
      ("files:read@/a\\x00b", "NUL"), ("commands:run@a\\x00b", "NUL"), ("environment:read@a\\u{0}", "NUL"),
      ("commands:run@a\\xe9", "not UTF-8"), ("files:read@/a\\q", "not an escape"),
      ("files:read@/nonexistent/../x", "contains .."), ("files:read@~bob/x", "write the whole path"),
      ("commands:run@/bin/curl …", "is not the beginning of a command"),
      ("photos:read@/srv/", "takes no value"),
      ("files:read@", "missing"),
    ])
  func refused(capability: String, hint: String) throws {
    for command in ["allow", "deny", "why", "forget"] {
      let run = shell.run(command, "player", capability)
      #expect(run.status == 64, "\(command): \(run.messages)")
      #expect(run.messages.contains(hint), "\(command): \(run.messages)")
    }
    let run = shell.run("request", capability)
    #expect(run.status == 64, "\(run.messages)")
    #expect(try stored().isEmpty)
    #expect(try shell.store.waitingRequests().isEmpty)
  }

  @Test(
    "A part that takes values is not allowed without one; the message says what everything would mean",
    arguments: [
      ("commands", "\"commands:run@*\" would let a program run any command"),
      ("commands:run", "\"commands:run@*\" would let a program run any command"),
      ("files", "\"files:read@*\" would let a program read any file"),
      ("environment", "\"environment:read@*\" would let a program read every environment variable"),
      ("keys:use", "\"keys:use@*\" would let a program use every key"),
    ])
  func bare(capability: String, hint: String) throws {
    for arguments in [["allow", "claude", capability], ["request", capability]] {
      let run = shell.run(arguments)
      #expect(run.status == 64, "\(run.messages)")
      #expect(run.messages.contains(hint), "\(run.messages)")
    }
    #expect(try stored().isEmpty)
  }

  @Test("All commands can be allowed until log-out at most, and are so unless told otherwise")
  func allCommands() throws {
    #expect(
      shell.run("allow", "claude", "commands:run@*").output.hasPrefix(
        "allowed commands:run@* for claude until"))
    #expect(try shell.store.decisions().map(\.lifetime) == [.session("session")])
    let run = shell.run("allow", "claude", "commands:run@*", "--for", "forever")
    #expect(run.status == 64)
    #expect(
      run.messages.contains("commands:run@* can be allowed until you log out at most"), "\(run.messages)")
    shell.run("deny", "claude", "commands")
    #expect(try shell.store.decisions().map(\.lifetime) == [.forever])
  }

  @Test("A form that runs the files of a folder is allowed in a folder only; the message says what to add")
  func runsFolder() throws {
    let form = "commands:run@make …"
    let run = shell.run("allow", "claude", form)
    #expect(run.status == 64)
    #expect(run.messages.contains("add --in FOLDER"), "\(run.messages)")
    #expect(try stored().isEmpty)
    #expect(shell.run("allow", "claude", "commands:run@make test").status == 0)
    #expect(shell.run("deny", "claude", form).status == 0)
    let inside = shell.run("allow", "codex", form, "--in", folder.path)
    #expect(inside.status == 0, "\(inside.messages)")
  }

  @Test("An allow that the policy makes void is not kept, and the message names the policy")
  func policy() throws {
    let shell = TestShell(policy: MachinePolicy([.init(capability: "files", parts: ["read@/srv/"])]))
    for void in ["files:read@/srv/a", "files:read@/srv/", "files:write@/srv/a"] {
      let run = shell.run("allow", "player", "photos", void)
      #expect(run.status == 64)
      #expect(run.messages.contains("the policy of this machine forbids \(void)"), "\(run.messages)")
    }
    #expect(try shell.store.decisions().isEmpty)
    #expect(shell.run("allow", "player", "files:read@/").status == 0)
    #expect(shell.run("deny", "player", "files:read@/srv/a").status == 0)
    let other = TestShell(policy: MachinePolicy([.init(capability: "photos", programs: ["/usr/bin/x"])]))
    #expect(other.run("allow", "player", "photos").status == 0)
  }

  @Test("A request has at most 32 values of a part")
  func tooManyValues() throws {
    let values = (0...32).map { "files:read@/srv/\($0)" }
    let run = shell.run(["request"] + values)
    #expect(run.status == 64)
    #expect(run.messages.contains("at most 32 values of files:read"), "\(run.messages)")
  }

  // MARK: Everyone

  @Test("Everyone can be denied, looked up and forgotten, but never allowed")
  func everyone() throws {
    #expect(shell.run("deny", "everyone", "files:read@/home/ana/.ssh/").status == 0)
    #expect(try stored() == ["everyone denied files:read@/home/ana/.ssh/"])
    let refused = shell.run("allow", "everyone", "files:read@/srv/")
    #expect(refused.status == 64)
    #expect(refused.messages.contains("everyone can only be denied"), "\(refused.messages)")
    #expect(shell.run("why", "everyone", "files:read@/home/ana/.ssh/id").status == 1)
    let open = shell.run("why", "everyone", "files:read@/srv/x")
    #expect(open.status == 3)
    #expect(
      open.output == "files:read@/srv/x is not denied for everyone: the decisions about each program count\n")
    #expect(shell.run("status", "files").output.contains("every program"))
    #expect(shell.run("forget", "everyone", "files:read@/home/ana/.ssh/").status == 0)
    #expect(try stored().isEmpty)
    #expect(shell.run("forget", "everyone", "photos").status == 1)
  }

  @Test(
    "A label that could be read as everyone is refused",
    arguments: ["Everyone", "every0ne", "еveryоne", "EVERYONE"])
  func foldedLabel(label: String) throws {
    for arguments in [["deny", label, "photos"], ["request", "photos", "--as", label]] {
      let run = shell.run(arguments)
      #expect(run.status == 64, "\(arguments): \(run.messages)")
    }
    #expect(try stored().isEmpty)
  }

  @Test("An allow that a denial for everyone makes void is refused, and the message names the denial")
  func voidAllow() throws {
    shell.run("deny", "everyone", "files:read@/home/ana/.ssh/")
    let run = shell.run("allow", "backup", "photos", "files:write@/home/ana/.ssh/config")
    #expect(run.status == 64)
    #expect(run.messages.contains("permtui forget everyone files:read@/home/ana/.ssh/"), "\(run.messages)")
    #expect(try stored() == ["everyone denied files:read@/home/ana/.ssh/"])
  }

  // MARK: Paths

  @Test("A path that is a link means what the link leads to, and the output says so")
  func links() throws {
    let real = folder.file("real")
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "real")
    let root = try #require(realpath(real, nil).map { String(cString: $0) })
    let run = shell.run("allow", "player", "files:read@\(folder.file("link"))/new/a.txt")
    #expect(run.output == "allowed files:read@\(root)/new/a.txt for player forever\n")
    #expect(run.messages.contains("leads to \(root)/new/a.txt"), "\(run.messages)")
    let up = shell.run("why", "player", "files:read@\(folder.file("link"))/../real/new/a.txt")
    #expect(up.status == 0, "\(up.output) \(up.messages)")
  }

  @Test("A folder without a slash at the end means its list of entries, and the output says so")
  func folderWithoutSlash() throws {
    let run = shell.run("allow", "player", "files:read@/usr")
    #expect(run.output == "allowed files:read@/usr for player forever\n")
    #expect(run.messages.contains("write /usr/ for everything in it"), "\(run.messages)")
    #expect(shell.run("allow", "player", "files:read@/usr/").messages.contains("is a folder") == false)
  }

  @Test("A path can begin at the home folder or at the current one")
  func typedPaths() throws {
    shell.run("deny", "player", "files:read@~/.ssh/")
    #expect(try stored() == ["player denied files:read@/nonexistent/.ssh/"])
    let here = FileManager.default.currentDirectoryPath
    #expect(shell.run("deny", "player", "files:read@./x").output.contains("files:read@\(here)/x "))
    #expect(shell.run("deny", "player", "files:read@y@z").output.contains("files:read@\(here)/y@z "))
  }

  // MARK: Odd values

  @Test(
    "A value with odd characters is shown as it can be typed, and read back as the same",
    arguments: [
      "files:read@/nonexistent/a\\nb", "files:read@/nonexistent/caf\\xe9", "files:read@/nonexistent/a@b\\*",
      "files:read@/nonexistent/\\u{202E}gpj.exe", "files:read@/nonexistent/back\\\\slash", "commands:run@\\*",
      "commands:run@cat <<E\\nhi\\nE", "commands:run@echo \\…", "environment:read@a\\,b",
      "environment:read@\\*",
      "network:connect@[2001:db8::1]:443", "network:connect@*.example.org", "commands:run@git status …",
      "files:read@*",
    ])
  func oddValues(text: String) throws {
    let run = shell.run("deny", "player", text)
    #expect(run.output == "denied \(text) for player forever\n", "\(run.messages)")
    #expect(
      shell.run("status", text).lines.last?.contains(" \(text) ") == true,
      "\(shell.run("status", text).output)")
    #expect(shell.run("why", "player", text).output.hasPrefix("\(text) for player would be denied"))
    #expect(
      shell.run("log").lines.last?.contains("player: \(text), denied") == true, "\(shell.run("log").output)")
    #expect(shell.run("undo", "--dry-run").output.contains("would undo \(text) for player"))
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(shell.run("status", text, "--json").output.utf8))
        as? [String: Any])
    let decisions = try #require(json["decisions"] as? [[String: Any]])
    #expect(decisions.map { $0["requirement"] as? String } == [text])
    let file = folder.file("export")
    shell.run("export", file)
    let other = TestShell()
    #expect(other.run("import", file).output.contains("+ player: \(text) denied"))
    #expect(try other.store.decisions().map(\.atom) == shell.store.decisions().map(\.atom))
    #expect(shell.run("forget", "player", text).output == "forgot \(text) for player (was denied)\n")
  }

  // MARK: Why

  @Test("Why says which decision counts: everyone, a denial inside, or the narrowest scope")
  func whichCounts() throws {
    shell.run("allow", "player", "files:read@/srv/music/")
    shell.run("deny", "player", "files:read@/srv/music/private/")
    shell.run("allow", "player", "files:read@/srv/music/private/list.txt")
    func why(_ path: String) -> String { shell.run("why", "player", "files:read@\(path)").lines[0] }
    #expect(
      why("/srv/music/a.flac").hasSuffix(
        "allowed by the decision about files:read@/srv/music/"))
    #expect(
      why("/srv/music/private/b").hasSuffix(
        "denied by the decision about files:read@/srv/music/private/"))
    #expect(why("/srv/music/private/list.txt").contains("would be allowed"))
    #expect(
      why("/srv/music/").hasSuffix("denied: files:read@/srv/music/private/, which is inside, was denied"))
    shell.run("deny", "everyone", "files:read@/srv/music/private/")
    #expect(
      why("/srv/music/private/list.txt").hasSuffix("files:read@/srv/music/private/ is denied for everyone"))
    let json = shell.run("why", "player", "files:read@/srv/music/", "--json").output
    #expect(json.contains(#""rule":"everyone""#), "\(json)")
  }

  @Test("Status with a folder lists the decisions inside it")
  func statusInside() throws {
    shell.run("allow", "player", "files:read@/srv/music/", "files:read@/srv/music/a", "files:read@/opt/")
    #expect(shell.run("status", "files:read@/srv/").lines.count == 3)
    #expect(shell.run("status", "files:read@*").lines.count == 4)
    #expect(shell.run("status", "files:write@*").status == 1)
  }
}
