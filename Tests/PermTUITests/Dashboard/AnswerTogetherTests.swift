import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Answering several requests at once")
struct AnswerTogetherTests {
  private let curl = Samples.request("curl", "photos", Samples.today(14, 3), reason: "say \u{202e}please")
  private let report = Samples.request("report.py", "photos", Samples.today(13, 58))

  private func story(_ requests: [Request]) -> Story {
    var story = Story(data: Samples.data(decisions: Samples.decisions, waiting: requests.map(Samples.item)))
    story.press("w")
    _ = story.takeEffects()
    return story
  }

  private func together(
    _ requests: [Request], _ verdict: Verdict, _ lifetime: LifetimeChoice = .once
  ) -> Effect {
    .answerTogether(requests.map { Samples.pending($0, in: Samples.data) }, verdict, lifetime)
  }

  @Test("lists first what it answers, with everything foreign escaped")
  func lists() {
    var story = story([curl, report])
    story.press(" ", " ", "d")
    story.wait(1_000)
    #expect(story.grid.picture.contains("Deny 2 requests?"))
    #expect(story.grid.picture.contains("use for curl, because \" say \\u{202e}please \""))
    #expect(story.grid.picture.contains("use for report.py"))
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("y")
    #expect(story.takeEffects().deeds == [together([curl, report], .deny)])
    #expect(story.state.marked.isEmpty)
  }

  @Test("shows paths in the home folder with ~")
  func homePaths() {
    let evidence = Evidence(
      process: ProcessIdentity(pid: 7, startTime: 1), program: "\(HomeFolder.path)/bin/ask.sh",
      workingDirectory: "\(HomeFolder.path)/src")
    var story = story(
      ["curl", "report.py"].map {
        Samples.request($0, "photos", Samples.today(14, 3), evidence: evidence)
      })
    story.press(" ", " ", "d")
    story.wait(1_000)
    #expect(story.grid.picture.contains("seen ~/bin/ask.sh, working in ~/src"), "\(story.grid.picture)")
  }

  @Test("answers only what is marked, and without marks what is selected")
  func marked() {
    var story = story([curl, report])
    story.press("j", " ", "g", "d")
    story.wait(1_000)
    story.strike("y")
    #expect(story.takeEffects().deeds == [together([report], .deny)])
    story.press("g", "d")
    story.wait(1_000)
    story.strike("y")
    #expect(story.takeEffects().deeds == [together([curl], .deny)])
  }

  @Test("keeps the marks when the question is not confirmed")
  func keepsMarks() {
    var story = story([curl, report])
    story.press(" ", " ", "a")
    story.wait(1_000)
    story.press(.escape)
    #expect(story.state.marked.count == 2)
  }

  @Test("allows only by a key that comes after it was armed")
  func allows() {
    var story = story([curl, report])
    story.press(" ", " ", "a", "y", .enter)
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("y")
    #expect(story.takeEffects().deeds == [together([curl, report], .allow)])
  }

  @Test("leaves out what can do great harm, and what is no request")
  func severe() {
    let deploy = Samples.request("ci.sh", "deploy", Samples.today(14, 0))
    var story = story([deploy])
    story.press("a")
    #expect(story.desk.form == nil)
    #expect(story.desk.report?.text.contains("answer it on its own") == true)
    story.present(Samples.confirmation)
    story.press("j", " ")
    #expect(story.state.marked.isEmpty)
  }

  @Test("allows exact commands together, but not every command")
  func commands() {
    var data = Samples.data
    data.capabilities =
      CapabilityCatalogue.builtIn["commands"].map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    let atoms: [Set<Atom>] = [[Samples.commandAtom("ls")], [Atom("commands", "run")]]
    for (index, atoms) in atoms.enumerated() {
      data.waiting = [Samples.item(Samples.request("claude", "commands", Samples.today(14, 0), atoms: atoms))]
      var story = Story(data: data)
      story.press("w", "a")
      story.wait(1_000)
      #expect((story.desk.form != nil) == (index == 0))
      #expect(story.grid.picture.contains("run \"ls\"") == (index == 0))
    }
  }

  @Test("names the link by which a file was asked for, and says that a file has several names")
  func otherNames() {
    var data = Samples.data
    data.capabilities =
      CapabilityCatalogue.builtIn["files"].map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    let file = Samples.path("/srv/private/taxes.csv")
    var facts = ValueFacts()
    facts.project = Samples.folder("/srv/app")
    facts.paths = [
      PathFact(scope: file, spelling: Samples.path("/srv/app/x"), file: LinkedFile(device: 1, inode: 2))
    ]
    let atoms: Set = [Atom("files", "read", file)]
    let request = Samples.request("claude", "files", Samples.today(14, 0)).asking(atoms, facts)
    data.waiting = [Samples.item(request)]
    for verdict in ["a", "d"] as [Key] {
      var story = Story(width: 100, height: 40, data: data)
      story.press("w", verdict)
      story.wait(1_000)
      #expect(story.grid.picture.contains("! Asked as: \" /srv/app/x \", a link leads out of the project"))
      #expect(story.grid.picture.contains("! The file has several names (hard links)."))
    }
  }

  @Test("keeps the answer as long as was chosen for all of them")
  func keeps() {
    var story = story([curl, report])
    story.press(" ", " ", "d")
    story.wait(1_000)
    story.strike("5", "y")
    #expect(
      story.takeEffects().deeds == [together([curl, report], .deny, .duration(.seconds(8 * 3600)))])
  }

  @Test("is not possible for longer than each of them can be answered without a word of its own")
  func longest() {
    var data = Samples.data
    data.capabilities =
      CapabilityCatalogue.builtIn["commands"].map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    let request = Samples.request(
      "claude", "commands", Samples.today(14, 0), atoms: [Samples.commandAtom("ls")])
    data.waiting = [Samples.item(request)]
    var story = Story(data: data)
    story.press("w", "a")
    story.wait(1_000)
    #expect(story.desk.form?.lifetimes.map { $0.disabledReason == nil }.prefix(2) == [true, true])
    #expect(story.desk.form?.lifetimes.last?.disabledReason?.contains("typed word") == true)
    story.strike("6")
    #expect(story.desk.form?.lifetime == .once)
  }
}
