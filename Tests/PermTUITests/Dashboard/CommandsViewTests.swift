import Machine
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The view of the commands", .timeLimit(.minutes(5)))
struct CommandsViewTests {
  private static func agent(_ label: String, in folder: String) -> Subject {
    Subject(
      label: label, path: "/usr/bin/\(label)", file: nil,
      folder: ProgramFolder(path: folder, device: 1, inode: 2))
  }

  private static let claude = agent("claude", in: "/home/ana/src/app")
  private static let codex = agent("codex", in: "/home/ana/src/site")

  private static func entry(
    _ line: String, count: Int = 1, at minute: Int, by subject: Subject = claude
  ) -> JournalEntry {
    var entry = JournalEntry(
      at: Samples.today(9, minute), kind: .asked, subject: subject, capability: "commands",
      atoms: [Atom("commands", "run", .command(line))])
    entry.count = count
    return entry
  }

  private static let entries = [
    entry("git push origin main", at: 50),
    entry("git status -s", count: 4, at: 40), entry("make site", count: 9, at: 30, by: codex),
    entry("./deploy.sh --to web1", count: 2, at: 20),
    entry("ls", at: 10, by: Subject(label: "script", path: "/home/ana/bin/script.sh")),
  ]

  private static func data(_ decisions: [Decision] = []) -> DashboardData {
    var data = Samples.data(decisions: decisions)
    data.capabilities +=
      CapabilityCatalogue.builtIn["commands"].map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    data.commands = CommandsPage(entries) { _, _ in false }
    return data
  }

  private func story(_ decisions: [Decision] = [], width: Int = 80, height: Int = 24) -> Story {
    var story = Story(width: width, height: height, data: Self.data(decisions))
    story.press("C")
    story.happen(.changed(Self.data(decisions)))
    story.press("g")
    return story
  }

  @Test(
    "lists each line under its agent and folder, the most frequent first, with what can be kept for it",
    arguments: [(60, 15), (80, 24), (200, 60)])
  func pictures(width: Int, height: Int) throws {
    try Golden.check(story(width: width, height: height).grid.picture, "commands/\(width)x\(height)")
  }

  @Test("has what it lists read while it is open, and no longer")
  func needs() {
    var story = Story()
    #expect(!story.state.needs.commands)
    story.press("C")
    #expect(story.state.needs.commands && story.state.needs.decisions == .all)
    #expect(story.grid.picture.contains("Reading…"))
    story.press(.escape)
    #expect(!story.state.needs.commands)
  }

  @Test("keeps the form of a line, or with another choice the line alone, for the agent in its folder")
  func keep() throws {
    for (keys, scope) in [([], Scope.form("git status")), ([Key.character("r")], .command("git status -s"))] {
      var story = story()
      story.press("/")
      story.type("status")
      story.press(.enter, .enter)
      story.wait(1_200)
      #expect(story.desk.form?.change?.subject == Self.claude)
      #expect(story.grid.picture.contains("May claude in /home/ana/src/app run"))
      _ = story.takeEffects()
      for key in keys + ["3", "a"] { story.strike(key) }
      let decided = story.takeEffects().compactMap { effect -> (Subject, Answer)? in
        if case .decide(let subject, _, let answer) = effect { (subject, answer) } else { nil }
      }
      let (subject, answer) = try #require(decided.first)
      #expect(subject == Self.claude && answer.verdict == .allow && answer.lifetime == .session)
      #expect(answer.atoms == [Atom("commands", "run", scope)])
    }
  }

  @Test("says what was kept for a line already, and Enter changes that")
  func kept() throws {
    let decision = Decision(
      subject: Self.claude, atom: Atom("commands", "run", .form("git status")), verdict: .allow,
      lifetime: .forever, origin: .commandLine, decidedAt: Samples.today(9, 41))
    var story = story([decision])
    let row = try #require(story.grid.picture.lines.first { $0.contains("git status -s") })
    #expect(row.contains("● allowed"))
    story.press("/")
    story.type("status")
    story.press(.enter, .enter)
    #expect(story.desk.form?.change?.current?.verdict == .allow)
  }

  private static func making(_ decisions: [Decision] = []) -> DashboardData {
    var data = data(decisions)
    data.commands = CommandsPage([entry("make site", at: 20)]) { _, _ in false }
    data.writers = ["/home/ana/src/app": "claude"]
    return data
  }

  private func makingStory(_ decisions: [Decision] = []) -> Story {
    var story = Story(data: Self.making(decisions))
    story.press("C")
    story.happen(.changed(Self.making(decisions)))
    story.press("g")
    return story
  }

  @Test("offers no form that would rest at once, and the form says so before it is kept")
  func wouldRest() {
    var story = makingStory()
    let line = story.grid.picture.lines.first { $0.contains("make site") }
    #expect(line?.contains("this line") == true)
    #expect(story.grid.picture.contains("it rests while claude may write"))
    story.press(.enter)
    story.wait(1_200)
    #expect(story.desk.form?.atoms(.allow) == [Atom("commands", "run", .command("make site"))])
    #expect(!story.grid.picture.contains("It rests while"))
    story.strike("r")
    #expect(story.grid.picture.contains("It rests while claude may write in this folder"))
  }

  @Test("says that what was kept rests")
  func rests() {
    let kept = Decision(
      subject: Self.claude, atom: Atom("commands", "run", .form("make")), verdict: .allow,
      lifetime: .session("1"), origin: .commandLine, decidedAt: Samples.today(9, 41))
    let story = makingStory([kept])
    let line = story.grid.picture.lines.first { $0.contains("make site") }
    #expect(line?.contains("‖ rests") == true)
    #expect(story.grid.picture.contains("but it rests while claude may write"))
    #expect(!story.grid.picture.contains("● allowed"))
  }

  @Test("shows nothing foreign as it is")
  func hostile() {
    var data = Self.data()
    data.commands = CommandsPage([Self.entry("echo \u{1B}[2J\u{202E}x\nrm -rf ~", at: 1)]) { _, _ in false }
    var story = Story(data: data)
    story.press("C")
    story.happen(.changed(data))
    let picture = story.grid.picture.description
    #expect(!picture.contains("\u{1B}") && !picture.contains("\u{202E}"))
    #expect(picture.contains("rm -rf"))
  }

  @Test("copies the whole line")
  func copy() {
    var story = story(width: 60, height: 15)
    story.press("/")
    story.type("deploy")
    story.press(.enter)
    _ = story.takeEffects()
    story.press("Y")
    let copied = story.takeEffects().compactMap { if case .copy(let text) = $0 { text } else { nil } }
    #expect(copied.first?.contains("./deploy.sh --to web1") == true)
  }
}
