import Foundation
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Export, import and why")
struct TransferTests {
  @Test("Exported decisions come back as they were", arguments: StoreKind.allCases)
  func roundTrip(_ kind: StoreKind) throws {
    let box = try kind.make()
    var odd = Subject(label: "a \\odd, 'quoted' one", path: "/home/ana/tab\there")
    odd.file = FileIdentity(inode: 77, birth: 2049)
    odd.sandbox = Sandbox(namespace: 4_026_531_841, process: FixedEnvironment.process)
    try box.store.decide(
      [
        Ruling(.allow, subject: backup, atoms: [photos], lifetime: .duration(.seconds(60)), note: "a\nb\tc"),
        Ruling(.deny, subject: odd, atoms: [photos, Atom("camera")], lifetime: .session),
        Ruling(.deny, subject: Subject(label: "thumbs"), atoms: [photos]), .mute(thumbs),
        Ruling(
          .deny, subject: .everyone,
          atoms: [Atom("files", "read", .path(try AbsolutePath([0x2f, 0xe9, 0x0a])))]),
        Ruling(.deny, subject: Subject(label: "Cam", path: "app:org.example.Cam"), atoms: [photos]),
      ], by: here)
    let decisions = try box.store.decisions()
    #expect(decisions.count == 7)
    let lines = try DecisionLines.encode(decisions)
    #expect(try DecisionLines.decode(lines) == decisions)
    let other = try kind.make(box.world)
    #expect(try other.store.planImport(of: decisions).added == decisions)
    try other.store.importDecisions(decisions, by: .commandLine)
    #expect(try other.store.decisions() == decisions)
    #expect(try other.store.planImport(of: decisions).unchanged == decisions)
  }

  @Test("An imported denial takes back no allow of the same file", arguments: StoreKind.allCases)
  func denialsFirst(_ kind: StoreKind) throws {
    let box = try kind.make()
    let file = Atom("files", "read", .path(try AbsolutePath("/srv/music")))
    let folder = Atom("files", "read", .folder(try AbsolutePath("/srv/music")))
    try box.store.decide(Ruling(.deny, subject: backup, atoms: [folder]), by: here)
    try box.store.decide(Ruling(.allow, subject: backup, atoms: [file]), by: here)
    let decisions = try box.store.decisions()
    #expect(decisions.count == 2)
    for isKnown in [false, true] {
      let other = try kind.make(box.world)
      if isKnown { try other.store.decide(Ruling(.allow, subject: backup, atoms: [file]), by: here) }
      for order in [decisions, decisions.reversed()] {
        try other.store.importDecisions(try other.store.planImport(of: order).decisions, by: here)
        #expect(try other.store.decisions().map(\.atom) == decisions.map(\.atom))
      }
    }
  }

  @Test(
    "An import is planned before it is done, done once, and undone as a whole", arguments: StoreKind.allCases)
  func plan(_ kind: StoreKind) throws {
    let box = try kind.make()
    let before = try box.store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    let moment = box.world.environment.now()
    let ended = Decision(
      subject: thumbs, atom: Atom("camera"), verdict: .allow, lifetime: .session("another"), origin: here,
      decidedAt: moment.wall)
    var replacing = before[0]
    replacing.verdict = .allow
    var added = before[0]
    added.subject = thumbs
    let plan = try box.store.planImport(of: [ended, replacing, added])
    #expect(plan.ended == [ended])
    #expect(plan.replaced == [ImportPlan.Replacement(before: before[0], after: replacing)])
    #expect(plan.added == [added])
    #expect(try box.store.decisions() == before)
    #expect(try box.store.importDecisions(plan.decisions + [ended], by: here).count == 2)
    #expect(try box.store.importDecisions(plan.decisions, by: here).isEmpty)
    try box.store.undo(by: here)
    #expect(try box.store.decisions() == before)
  }

  @Test(
    "A line that cannot be read is named",
    arguments: [
      ("nothing", 1), (#"{"permtui":"decisions","format":1}"# + "\nno JSON", 2),
      (#"{"permtui":"decisions","format":1}"# + "\n\n" + #"{"program":"a"}"#, 3),
      (
        #"{"permtui":"decisions","format":1}"# + "\n"
          + #"{"program":"a","capability":"*","atom":"*","verdict":"allow","lifetime":"forever","#
          + #""origin":"library","decidedAt":1}"#, 2
      ),
    ])
  func unreadable(_ text: String, _ line: Int) {
    let error = #expect(throws: StoreError.self) {
      try DecisionLines.decode(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    guard case .unreadableLine(let number, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(number == line)
  }

  /// Returns a line of an export, with one value changed.
  private func line(_ key: String = "", _ value: String = "") -> String {
    var values = [
      "program": #""a""#, "capability": #""photos""#, "atom": #""read""#, "verdict": #""allow""#,
      "lifetime": #""forever""#, "origin": #""library""#, "decidedAt": "1",
    ]
    if !key.isEmpty { values[key] = value }
    return "{" + values.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}"
  }

  private let head = #"{"permtui":"decisions","format":1}"#

  @Test(
    "A decision that no program can ask for and no person can give is not imported either",
    arguments: [
      ("program", "\"\""), ("program", #""\u001b[31mred""#), ("program", #""a\u202eb""#),
      ("program", #""a\u0000b""#), ("program", #"" a""#), ("program", #""e\u0301""#),
      ("program", "\"\(String(repeating: "a", count: 65))\""),
      ("program", "\"\(String(repeating: "a", count: 100_000))\""), ("path", "\"\""), ("path", #""bin/a""#),
      ("path", #""/a\u0000b""#), ("path", "\"/\(String(repeating: "a", count: 5_000))\""),
      ("file", #"{"inode":1,"birth":2}"#), ("capability", "\"\""), ("capability", #""Photos""#),
      ("capability", #""a\tb""#), ("capability", #""*""#), ("atom", "\"\""), ("atom", #""a,b""#),
      ("atom", #""*""#), ("atom", #""read@""#), ("atom", "\"read@\(String(repeating: "a", count: 257))\""),
      ("lifetime", #""once""#),
      ("lifetime", #""process -1 5""#), ("lifetime", #""session ""#), ("lifetime", #""session \u0007""#),
      ("lifetime", #""until 9223372036854775807 1 boot""#), ("lifetime", #""until 1 -1 boot""#),
      ("origin", #""rule \u202e""#), ("origin", #""nobody""#), ("note", #""a\u0000b""#),
      ("note", "\"\(String(repeating: "a", count: 70_000))\""), ("decidedAt", "9223372036854775807"),
      ("decidedAt", "1e400"), ("lastUsed", "-9223372036854775808"),
    ])
  func strict(_ key: String, _ value: String) throws {
    #expect(try DecisionLines.decode([head, line()]).count == 1)
    let error = #expect(throws: StoreError.self) { try DecisionLines.decode([head, line(key, value)]) }
    guard case .unreadableLine(let number, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(number == 2)
    #expect(reason.contains(key) || value == "1e400", "\(reason)")
  }

  @Test("Every part of the built-in capabilities can be imported, with a container too")
  func allAtoms() throws {
    for atom in CapabilityCatalogue.builtIn.capabilities.flatMap(\.definition.atoms) {
      let text = line("capability", "\"\(atom.capability)\"").replacing(#""read""#, with: "\"\(atom.name)\"")
        .replacing(#""allow""#, with: #""deny""#)
      #expect(try DecisionLines.decode([head, text]).map(\.atom) == [atom])
    }
    let container = line("atom", #""read@nas""#).replacing("photos", with: "cloud")
    #expect(try DecisionLines.decode([head, container]).count == 1)
  }

  @Test(
    "An odd name of format 1 becomes the name that the store's migration makes of it",
    arguments: ["*", "a,b", "a@b", " a ", "a\tb", "\u{202e}", "…", String(repeating: "é", count: 128)])
  func oddNames(_ name: String) throws {
    let text = String(decoding: try JSONEncoder().encode("read@\(name)"), as: UTF8.self)
    let lines = [head, line("atom", text).replacing("photos", with: "cloud")]
    let decisions = try DecisionLines.decode(lines)
    #expect(decisions.map(\.atom) == [Atom("cloud", "read", .name(name))])
    #expect(try DecisionLines.decode(try DecisionLines.encode(decisions)) == decisions)
  }

  @Test(
    "A decision that cannot be made is not imported either, and the property in the way is named",
    arguments: [
      ("files", "read", #"{"name":"a"}"#, "forever", "allow", "scope"),
      ("files", "read", #"{"command":"ls"}"#, "forever", "deny", "scope"),
      ("photos", "read", #"{"path":"/a"}"#, "forever", "deny", "scope"),
      ("network", "connect", #"{"folder":"/a"}"#, "forever", "allow", "scope"),
      ("files", "read", #"{"path":"/a/../b"}"#, "forever", "allow", "scope"),
      ("commands", "run", #"{"form":"curl"}"#, "forever", "allow", "scope"),
      ("commands", "run", "null", "forever", "allow", "lifetime"),
      ("commands", "run", "null", "until 5 5 boot", "allow", "lifetime"),
      ("commands", "run", #"{"command":"tmux new"}"#, "forever", "allow", "scope"),
      ("commands", "run", #"{"command":"a; permtui b"}"#, "session 1", "allow", "scope"),
      ("commands", "run", #"{"form":"make"}"#, "session 1", "allow", "folder"),
    ])
  func undecidable(
    _ capability: String, _ part: String, _ scope: String, _ lifetime: String, _ verdict: String,
    _ key: String
  ) throws {
    let line =
      #"{"program":"a","capability":"\#(capability)","atom":"\#(part)","scope":\#(scope),"verdict":"\#(verdict)","#
      + #""lifetime":"\#(lifetime)","origin":"library","decidedAt":1}"#
    let error = #expect(throws: StoreError.self) { try DecisionLines.decode([head, self.line(), line]) }
    guard case .unreadableLine(3, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("\"\(key)"), "\(reason)")
    guard verdict == "allow", !["files", "network"].contains(capability), !scope.contains("curl") else {
      return
    }
    #expect(try DecisionLines.decode([head, line.replacing("allow", with: "deny")]).count == 1)
  }

  @Test("Two programs that Swift holds for equal, and a file for two, stop no import")
  func equalTexts() throws {
    let box = try StoreKind.sqlite.make()
    // The letter is the same, in two encodings.
    let decisions = ["/home/ana/caf\u{e9}", "/home/ana/cafe\u{301}"].map { path in
      Decision(
        subject: Subject(label: "cafe", path: path), atom: photos, verdict: .allow, lifetime: .forever,
        origin: here, decidedAt: box.world.wall)
    }
    for decision in decisions { try box.store.importDecisions([decision], by: here) }
    #expect(try box.store.decisions().count == 2)
    #expect(try box.store.planImport(of: decisions).unchanged == [decisions[0]])
  }

  @Test("A format that there never was is refused")
  func impossibleFormat() {
    #expect(throws: StoreError.self) { try DecisionLines.decode([#"{"permtui":"decisions","format":-1}"#]) }
  }

  @Test("An export of a newer program is refused")
  func newer() {
    #expect(throws: StoreError.newerVersion(path: "the export", found: 9, known: 2)) {
      try DecisionLines.decode([#"{"permtui":"decisions","format":9}"#])
    }
  }
}
