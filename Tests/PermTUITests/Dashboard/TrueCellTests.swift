import Machine
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Matrix, programs and panes tell what would be answered")
struct TrueCellTests {
  private static let files = CapabilityRow(
    CapabilityCatalogue.builtIn["files"] ?? CapabilityCatalogue.builtIn.capabilities[0], nil, lastAsked: nil)
  private let player = Subject(label: "player", path: "/home/ana/bin/player")

  private func data(_ decisions: [Decision], waiting: [WaitingRow] = []) -> DashboardData {
    var data = Samples.data(decisions: decisions, waiting: waiting)
    data.capabilities.append(Self.files)
    return data
  }

  private func everyone(_ atom: Atom) -> Decision {
    var decision = Samples.decision("everyone", atom, .deny)
    decision.subject = .everyone
    return decision
  }

  private func status(
    _ capability: String, _ decisions: [Decision], panic: Bool = false, policy: MachinePolicy = .none
  ) -> PairStatus {
    var data = data(decisions)
    data.panicSince = panic ? Samples.today(14, 3) : nil
    data.policy = policy
    return ProgramStatus(of: player, in: data)[capability]
  }

  private let read = Samples.decision("player", Atom("files", "read", Samples.folder("/srv/music")))

  @Test("An allow counts, unless a panic suspends it")
  func panic() {
    #expect(status("files", [Samples.decision("player", Atom("files", "read"))]) == .allowed)
    #expect(status("files", [read]) == .partlyAllowed)
    #expect(status("files", [read], panic: true) == .suspended)
    #expect(status("photos", [read]) == .undecided)
  }

  @Test("A denial for everyone of all takes an allow back, one of some values makes it partial, another none")
  func everyone() {
    #expect(status("files", [read, everyone(Atom("files", "read"))]) == .denied)
    #expect(
      status("files", [read, everyone(Atom("files", "read", Samples.folder("/srv")))]) == .partlyDenied)
    #expect(
      status("files", [read, everyone(Atom("files", "read", Samples.folder("/srv/music/x")))]) == .mixed)
    let keys = everyone(Atom("files", "read", Samples.folder("/home/ana/.ssh")))
    #expect(status("files", [read, keys]) == .partlyAllowed)
    let photos = ["read", "add only"].map { everyone(Atom("photos", $0)) }
    #expect(status("photos", photos) == .denied)
    #expect(status("photos", [photos[0]]) == .partlyDenied)
    #expect(status("files", [everyone(Atom("files", "read", Samples.folder("/srv")))]) == .partlyDenied)
  }

  @Test("The first view counts no allow that the policy takes back, for all programs or for one")
  func policyInFirstView() {
    var data = data([read, Samples.decision("other", Atom("files", "read"))])
    #expect(data.status(of: Self.files) == .allowed)
    data.policy = MachinePolicy([.init(capability: "files", programs: ["/home/ana/bin/player"])])
    #expect(data.isPermitted(DecisionRow.rows(of: [read])[0]) == false)
    #expect(data.status(of: Self.files) == .allowed)
    data.policy = MachinePolicy([.init(capability: "files")])
    #expect(data.status(of: Self.files) == .denied)
  }

  @Test("The policy of the machine takes an allow back")
  func policy() {
    let policy = MachinePolicy([MachinePolicy.Restriction(capability: "files")])
    #expect(status("files", [read], policy: policy) == .denied)
  }

  @Test(
    "A mute counts for what is not decided, under every label of the file, and for a decision about the label alone"
  )
  func mute() {
    var mute = Samples.decision("other", .everything, .deny)
    mute.subject.path = player.path
    #expect(status("photos", [mute]) == .muted)
    #expect(status("files", [mute, read]) == .mixed)
    var unbound = Samples.decision("player", Atom("photos", "read"), .deny)
    unbound.subject.path = nil
    #expect(status("photos", [unbound]) == .denied)
  }

  @Test("It is the answer that why tells of", arguments: [false, true])
  func outlook(isPanic: Bool) throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let ruling = Ruling(.allow, subject: player, atoms: [read.atom])
    let mute = Ruling.mute(Subject(label: "loud", path: "/home/ana/bin/loud"))
    try store.decide([ruling, mute], by: .commandLine)
    if isPanic { try store.setSuspended(true, by: .commandLine) }
    var data = data(try store.decisions())
    data.panicSince = isPanic ? Samples.today(14, 3) : nil
    for (program, capability) in [(player, "files"), (player, "photos"), (mute.subject, "photos")] {
      let standing = try store.standing(of: program, capability: capability)
      let definition = data.definition(of: capability, atoms: [])
      let atom = capability == "files" ? read.atom : Atom("photos", "read")
      let outlook = Judge(of: program, definition, under: .none).judgement(on: [atom], standing).outlook
      let shown = ProgramStatus(of: program, in: data)[capability]
      #expect(
        [.allowed, .partlyAllowed].contains(shown) == (outlook.verdict == .allow), "\(program) \(capability)")
      #expect((shown == .muted) == (program == mute.subject), "\(program) \(capability)")
    }
  }

  @Test("A decision about values is told apart from one about all, since other values would be asked about")
  func values() throws {
    let definition = try #require(Self.files.definition)
    let other = Atom("files", "read", Samples.folder("/etc"))
    for verdict in Verdict.allCases {
      let some = Samples.decision("player", Atom("files", "read", Samples.folder("/srv/music")), verdict)
      #expect(DecidedAtoms(definition, decisions: [some]).state(of: other) == .undecided)
      #expect(status("files", [some]) == (verdict == .allow ? .partlyAllowed : .partlyDenied))
      let read = Samples.decision("player", Atom("files", "read"), verdict)
      #expect(status("files", [some, read]) == (verdict == .allow ? .allowed : .denied))
    }
  }

  @Test("The matrix has a sign of its own for some values, and the list of programs says so")
  func valuesInViews() {
    let denied = Samples.decision("player", Atom("files", "read", Samples.folder("/srv")), .deny)
    for (decisions, sign, may, mayNot) in [
      ([read], "◐", "Files (some)", ""), ([denied], "·✕", "", "Files (some)"),
      ([everyone(Atom("files", "read", Samples.folder("/srv")))], "·✕", "", ""),
    ] {
      let photos = Samples.decision("player", Atom("photos", "read"))
      var story = Story(data: data(decisions + [photos]))
      story.press("m")
      let cell = MatrixTable(state: story.state).row(player).cells.map(\.text)
      #expect(cell.contains { $0.contains(sign) }, "\(cell)")
      let summary = ProgramSummary(player, on: story.desk)
      #expect(summary.allowed == (may.isEmpty ? "Photos" : "\(may), Photos"))
      #expect(summary.denied == mayNot)
      story.press("p")
      let line = story.grid.picture.lines.first { $0.contains("player") }
      #expect(line?.contains("Files (some)") == !(may + mayNot).isEmpty)
    }
  }

  @Test("In a panic nothing is shown as allowed in any view")
  func views() {
    var data = data(Samples.decisions)
    data.panicSince = Samples.today(14, 3)
    for keys in [["m"], ["p"], ["p", .enter], [.enter]] as [[Key]] {
      var story = Story(width: 120, height: 40, data: data)
      for key in keys { story.press(key) }
      let styles = story.grid.cells.filter { $0.style.role == .allowed }
      #expect(styles.isEmpty, "\(keys)")
      #expect(!story.grid.picture.contains("● "))
      #expect(story.grid.picture.contains("‖"))
    }
  }

  @Test("A muted program is told in words, in programs and in the pane of the matrix")
  func words() {
    var mute = Samples.decision("backup", .everything, .deny, Samples.until(Samples.today(15, 4)))
    mute.decidedAt = Samples.today(14, 4)
    var story = Story(data: data(Samples.decisions + [mute]))
    story.press("p")
    #expect(story.grid.picture.lines.contains { $0.contains("backup") && $0.contains("muted until 15:04") })
    story.press("m", .right)
    #expect(story.grid.picture.contains("Muted until 15:04"))
  }

  @Test("A waiting request is a question mark, and a program that only waits is listed")
  func waiting() {
    var story = Story(data: data(Samples.decisions, waiting: Samples.waiting.map(Samples.item)))
    story.press("m")
    #expect(story.grid.picture.lines.contains { $0.contains("curl") && $0.contains("?") })
    story.press("p")
    #expect(story.grid.picture.lines.contains { $0.contains("report.py") && $0.contains("? Photos") })
  }

  @Test("Columns that are used come first, and a title is whole at 80 columns")
  func columns() {
    var story = Story(data: data(Samples.decisions))
    story.press("m")
    #expect(
      story.state.matrixCapabilities.map(\.id) == [
        "calendar", "camera", "deploy", "location", "photos", "cloud", "files",
      ])
    let heading = story.grid.picture.lines[1]
    for title in ["[Calendar]", "Camera", "deploy", "Location", "Photos", "Cloud›"] {
      #expect(heading.contains(title), "\(heading)")
    }
  }

  @Test("The selected column stays the same when another comes before it")
  func selection() {
    var story = Story(data: data(Samples.decisions))
    story.press("m", .right)
    #expect(story.state.matrixCapability?.id == "camera")
    story.happen(
      .changed(data(Samples.decisions + [Samples.decision("backup", Atom("cloud", "permissions"))])))
    #expect(story.state.matrixCapability?.id == "camera")
  }

  @Test("Programs of one name are told apart by path, by folder, and by file")
  func names() {
    func named(_ path: String?, _ inode: UInt64? = nil, _ folder: String? = nil) -> Subject {
      Subject(
        label: "tool", path: path, file: inode.map { FileIdentity(inode: $0, birth: 1) },
        folder: folder.map { ProgramFolder(path: $0, device: 1, inode: 2) })
    }
    let all = [
      named("/home/ana/bin/tool"), named("/srv/bin/tool", 1), named("/srv/bin/tool", 2), named(nil),
      named("/srv/bin/tool", 1, "/srv/app"),
    ]
    #expect(
      all.map(all.name) == [
        "tool@…/ana/bin/tool", "tool@/srv/bin/tool, file 1", "tool@/srv/bin/tool, file 2",
        "tool, not seen yet",
        "tool in /srv/app",
      ])
    #expect([named("/bin/tool")].name(of: named("/bin/tool")) == "tool")
  }

  @Test("A capability that some programs may use and others may not is shown as mixed")
  func counts() {
    let story = Story()
    #expect(story.grid.picture.lines.contains { $0.contains("deploy") && $0.contains("◐ mixed") })
  }
}
