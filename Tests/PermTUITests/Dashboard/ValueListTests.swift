import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Lists of decisions about values")
struct ValueListTests {
  private static let subject = Subject(label: "claude", path: "/home/ana/bin/claude")

  private static func decision(_ number: Int, _ verdict: Verdict = .allow) -> Decision {
    let atom = Atom("files", "read", Samples.path("/srv/music/\(number).ogg"))
    return Decision(
      subject: subject, atom: atom, verdict: verdict, lifetime: .forever,
      origin: .dashboard(id: Samples.here),
      decidedAt: Timestamp(microseconds: Samples.today(9, 0).microseconds + Int64(number)))
  }

  private func story(_ decisions: [Decision], width: Int = 80, height: Int = 24) -> Story {
    var data = Samples.data(decisions: decisions)
    let files = CapabilityCatalogue.builtIn["files"]
    data.capabilities = files.map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    var story = Story(width: width, height: height, data: data)
    story.press(.enter)
    return story
  }

  private let many = (1...999).map { decision($0) } + [decision(1_000, .deny)]

  @Test("A program with a thousand values is a single row, which Enter opens and closes")
  func folded() {
    var story = story(many)
    #expect(story.state.list.rows.count == 1)
    #expect(story.grid.picture.contains("1000 values, 1 denied"))
    #expect(story.grid.picture.contains("Enter lists"))
    story.press(.enter)
    #expect(story.state.list.rows.count == 1_001)
    #expect(story.grid.picture.contains("read /srv/music/1.ogg"))
    story.press(.enter)
    #expect(story.state.list.rows.count == 1)
  }

  @Test("The filter finds a value in a closed row")
  func filter() {
    var story = story(many)
    story.press("/")
    story.type("/777.ogg")
    #expect(story.state.list.rows.count == 1)
    #expect(story.grid.picture.contains("read /srv/music/777.ogg"))
  }

  @Test("Forgetting the row asks first, and forgets all of its values")
  func forget() {
    var story = story(many)
    story.press("x")
    story.wait(1_000)
    #expect(story.grid.picture.contains("Forget 1000 decisions?"))
    #expect(story.grid.picture.contains("and 980 more") || story.desk.form?.lineCount ?? 0 > 15)
    for _ in 0..<4 {
      story.press(.pageDown)
      story.wait(1_000)
    }
    story.strike("y")
    guard case .forget(.decision(let id))? = story.takeEffects().deeds.first else {
      return #expect(Bool(false), "nothing was forgotten")
    }
    #expect(id.atoms.count == 1_000)
  }

  @Test("A decision is changed for exactly its values")
  func change() {
    let atom = Atom("files", "read", Samples.path("/srv/music/1.ogg"))
    var story = story([Self.decision(1)])
    story.press(.enter)
    story.wait(1_200)
    #expect(story.grid.picture.contains("/srv/music/1.ogg"))
    story.strike("6", "d")
    #expect(
      story.takeEffects().deeds == [
        .decide(Self.subject, capability: "files", Answer(.deny, atoms: [atom], lifetime: .forever))
      ])
  }

  @Test("A denied protected name can be allowed only with the typed word")
  func protectedName() {
    var denial = Self.decision(1, .deny)
    denial.atom = Atom("files", "write", Samples.path("/srv/app/.envrc"))
    var story = story([denial])
    story.press(.enter)
    story.wait(1_200)
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.entry == .typedWord)
    story.type("envrc")
    story.press(.enter)
    story.wait(300)
    let answer = Answer(.allow, atoms: [denial.atom], lifetime: .forever)
    #expect(story.takeEffects().deeds == [.decide(Self.subject, capability: "files", answer)])
  }

  @Test("A name beside a protected one takes no word")
  func otherName() {
    var denial = Self.decision(1, .deny)
    denial.atom = Atom("files", "write", Samples.path("/srv/app/envrc"))
    var story = story([denial])
    story.press(.enter)
    story.wait(1_200)
    story.strike("a")
    #expect(story.takeEffects().deeds.count == 1)
  }

  /// Opens the form in which a denial is changed.
  private func changing(_ atom: Atom) -> Story {
    var denial = Self.decision(1, .deny)
    denial.atom = atom
    var data = Samples.data(decisions: [denial])
    let descriptor = CapabilityCatalogue.builtIn[atom.capability]
    data.capabilities = descriptor.map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    var story = Story(width: 100, height: 40, data: data)
    story.press(.enter, .enter)
    story.wait(1_200)
    return story
  }

  @Test("A denial of every command is changed to an allow until log-out at most")
  func limit() {
    var story = changing(Atom("commands", "run"))
    #expect(story.grid.picture.contains("4-6: every command can do everything"))
    story.strike("6", "a")
    #expect(story.desk.form?.hint?.hasPrefix("Press 3, the longest for an allow: every command") == true)
    #expect(story.desk.form?.entry == nil && story.takeEffects().deeds.isEmpty)
    story.strike("3", "a")
    #expect(story.desk.form?.entry == .typedWord)
  }

  @Test(
    "A denial of something that cannot be allowed beforehand is changed to another denial only",
    arguments: [
      (Samples.commandAtom("tmux new"), "such a line is asked about each time"),
      (Atom("commands", "run", .form("make")), "it runs what the files in a folder say"),
      (Atom("files", "write", Samples.folder("/srv/.ssh")), "a protected folder is not allowed as a whole"),
    ])
  func denialOnly(_ atom: Atom, _ reason: String) {
    var story = changing(atom)
    story.strike("3", "a")
    #expect(story.desk.form?.hint?.hasPrefix("It cannot be allowed: \(reason)") == true)
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("d")
    let answer = Answer(.deny, atoms: [atom], lifetime: .session)
    #expect(story.takeEffects().deeds == [.decide(Self.subject, capability: atom.capability, answer)])
  }

  @Test("A denial says on the screen how many allows it has taken back")
  func takenBack() {
    var story = story([Self.decision(1)])
    let kept = DecisionResult([], takenBack: 2)
    story.happen(.tookBack(kept))
    #expect(story.grid.picture.contains("This took back 2 allows inside of what is denied."))
  }

  @Test("Only the allows that a denial removes with it are counted")
  func counted() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    func decide(_ verdict: Verdict, _ text: String) throws {
      let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
      try store.decide(Ruling(verdict, subject: Subject(label: "player"), atoms: atoms), by: .commandLine)
    }
    try decide(.allow, "files:read@/srv/a")
    try decide(.allow, "files:write@/srv/b")
    try decide(.deny, "files:read@/srv/")
    try store.forget(DecisionFilter(), by: .commandLine)
    let entries = try store.journal(.all, .newest(20))
    #expect(DecisionResult(entries).takenBack == 2)
  }

  @Test(
    "The scope of each decision is in its row",
    arguments: [(40, 10), (60, 15), (80, 24), (120, 40), (200, 60)])
  func goldens(width: Int, height: Int) throws {
    var host = Self.decision(2)
    host.atom = Atom("files", "write", Samples.folder("/home/ana/src/a rather long name/of a folder"))
    let story = story([Self.decision(1), host, Self.decision(3, .deny)], width: width, height: height)
    try Golden.check(story.grid.picture, "values/list-\(width)x\(height)")
  }
}
