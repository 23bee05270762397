import Machine
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Keys that never answer")
struct HarmlessKeyTests {
  @Test("In an alert, the keys that unfold and copy answer nothing", arguments: ["i", "Y"] as [Key])
  func inAlert(key: Key) {
    var story = Story()
    story.show(Samples.commandAlert)
    _ = story.takeEffects()
    story.strike(key, key, key)
    #expect(story.desk.form?.alertID == Samples.commandAlert.id)
    let answers = story.takeEffects().deeds.filter { if case .copy = $0 { false } else { true } }
    #expect(answers.isEmpty)
  }

  @Test("In a list, the keys that search and copy answer nothing", arguments: ["n", "N", "Y", "q"] as [Key])
  func inList(key: Key) {
    for filter in ["", "pho"] {
      var story = Story()
      if !filter.isEmpty {
        story.press("/")
        story.type(filter)
        story.press(.enter)
      }
      story.press("w")
      story.press(key)
      #expect(story.desk.form == nil)
      #expect(story.takeEffects().deeds.isEmpty)
    }
  }

  @Test("The key that copies sends the value as it is, and no byte of it to the screen")
  func copying() {
    var story = Story()
    story.show(Samples.commandAlert)
    _ = story.takeEffects()
    story.strike("Y")
    let line =
      "cd ~/src/app && npm run build 2>&1 | tail -20\ngit add -A\ngit commit -m \"Fix the build\""
    #expect(story.takeEffects().deeds == [.copy(line)])
    #expect(TerminalModes.copy("ab\u{1b}\u{7}c") == Array("\u{1b}]52;c;YWIbB2M=\u{7}".utf8))
    #expect(TerminalModes.base64(Array("any carnal pleasu".utf8)) == Array("YW55IGNhcm5hbCBwbGVhc3U=".utf8))
  }

  @Test("The key that quits asks first if anything waits, and another key takes that back")
  func quitting() {
    var story = Story()
    story.press("m", "p", "q")
    #expect(story.state.screen == .capabilities && story.takeEffects().deeds.isEmpty)
    story.press("q")
    #expect(story.grid.picture.contains("q again quits"))
    story.press("j", "q")
    #expect(story.takeEffects().deeds.isEmpty)
    story.press("q")
    #expect(story.takeEffects().deeds == [.quit(isInterrupt: false)])
    var idle = Story(data: Samples.data(decisions: []))
    idle.press("q")
    #expect(idle.takeEffects().deeds == [.quit(isInterrupt: false)])
  }
}

@Suite("The box of a program as seen")
struct FoldedAlertTests {
  @Test("has one line for the program, and a key shows all that is known")
  func folding() {
    var story = Story()
    story.show(Samples.commandAlert)
    #expect(!story.grid.picture.contains("Started"))
    #expect(story.grid.picture.contains("pid 4711, on pts/3"))
    story.strike("i")
    #expect(story.grid.picture.contains("Started") && story.grid.picture.contains("Seen"))
    story.strike("i")
    #expect(!story.grid.picture.contains("Started"))
  }

  @Test("Facts that speak against a program stay unfolded")
  func unfolded() {
    for alert in [Samples.hostileAlert, Samples.linkAlert, Samples.walledAlert] {
      var story = Story(width: 120, height: 40)
      story.show(alert)
      #expect(story.grid.picture.contains("Started"), "\(alert.summary)")
      #expect(story.grid.picture.contains("Seen"), "\(alert.summary)")
    }
  }

  @Test("The key tells of a run behind walls which one asks, since when, and what is kept until it ends")
  func run() throws {
    let request = try #require(Samples.walledAlert.request?.request)
    let process = try #require(request.evidence?.process)
    func row(_ verdict: Verdict, _ name: String, until lifetime: Lifetime) -> DecisionRow {
      DecisionRow(
        id: .init(
          subject: request.subject, capability: "files",
          atoms: [Atom("files", "write", Samples.path("/home/ana/\(name)"))]), verdict: verdict,
        lifetime: lifetime, origin: .dashboard(id: Samples.here), decidedAt: Samples.today(13, 59))
    }
    let other = ProcessIdentity(pid: process.pid, startTime: process.startTime + 1)
    var story = Story(width: 120, height: 40) { context in
      // The process was started one tick after the machine.
      context.booted = Timestamp(microseconds: Samples.today(13, 55).microseconds - 10_000)
    }
    story.show(Samples.walledAlert)
    #expect(!story.grid.picture.contains("since 13:55"))
    _ = story.takeEffects()
    story.strike("i")
    #expect(
      story.grid.picture.contains("pid 4711, since 13:55, in /home/ana/src/app"), "\(story.grid.picture)")
    #expect(story.takeEffects().contains(.read(StoreNeeds(decisions: .program(request.subject)))))
    var data = story.desk.data
    data.setDecisions(
      [
        row(.allow, "a", until: .process(process)), row(.allow, "b", until: .process(process)),
        row(.deny, "c", until: .process(process)), row(.allow, "d", until: .process(other)),
        row(.allow, "e", until: .forever),
      ], in: .program(request.subject), counts: [:])
    story.happen(.changed(data))
    #expect(story.grid.picture.contains("2 allowed and 1 denied"), "\(story.grid.picture)")
    story.strike("i")
    #expect(!story.grid.picture.contains("2 allowed and 1 denied"))
    #expect(story.desk.form?.alertID == Samples.walledAlert.id)
  }

  @Test("A change of three lines fits on a page of 80×24")
  func fits() {
    var story = Story(data: Samples.data(decisions: []))
    story.show(Samples.changeAlert)
    #expect(story.desk.form?.hasShownAll == true)
    #expect(!story.grid.picture.contains("lines 1-"))
    for key in ["2", "3", "4", "5"] as [Key] {
      story.strike(key)
      #expect(!story.grid.picture.contains("lines 1-"), "\(key)")
    }
  }

  @Test("A change of three lines fits on a page of 80×24 in a program's first alert, too")
  func fitsAtFirst() throws {
    var content = try #require(Samples.changeAlert.request)
    (content.identity, content.history) = (.firstTime, AnswerHistory())
    let request = content.request
    content.request = Request(
      id: request.id, subject: request.subject, capability: request.capability, atoms: request.atoms,
      askedAt: request.askedAt, evidence: request.evidence,
      details: ShownDetails("- const v4 = 4\n+ const v4 = 44\n+ log(v4)\n"), facts: request.facts)
    var story = Story(data: Samples.data(decisions: []))
    story.show(Alert(id: Samples.changeAlert.id, content: .request(content)))
    #expect(story.desk.form?.hasShownAll == true, "\(story.grid.picture)")
    #expect(story.grid.picture.contains("first time"))
    #expect(!story.grid.picture.contains("never answered"))
  }

  @Test("Words that delete or send something are underlined, wherever they stand")
  func dangers() {
    let line = TextLine("Command   ", Style(.muted)).adding(
      "rm -rf build; git push; inform", Style(bold: true))
    let marked = line.underlining(["rm", "-rf", "push"]).spans.filter(\.style.underline).map(\.text)
    #expect(marked == ["rm", "-rf", "push"])
  }
}

@Suite("The rows of what waits")
struct WaitingRowTests {
  private func story(_ lines: [String], width: Int, height: Int = 24) -> Story {
    let requests = lines.map { line in
      Samples.request("claude", "commands", Story.start, atoms: [Samples.commandAtom(line)])
    }
    let items = requests.enumerated().map { index, request in
      var item = Samples.item(request)
      item.id = Alert.ID("row\(index)")
      return item
    }
    var story = Story(width: width, height: height, data: Samples.data(decisions: [], waiting: items))
    story.press("w")
    return story
  }

  @Test(
    "begin with the command, and say how much of it is cut",
    arguments: [(40, 10), (60, 15), (60, 24), (80, 24), (120, 40)])
  func commands(width: Int, height: Int) {
    let long = "npm test -- " + String(repeating: "x", count: 200)
    let text = story([long, "git push"], width: width, height: height).grid.picture.lines.joined(
      separator: "\n")
    #expect(text.contains(width < 60 ? "$ npm test --" : "$ npm test -- xxx") && text.contains("…+"))
    #expect(text.contains("$ git push") && !text.contains("commands:"))
  }

  @Test("stand below one heading a program, which cannot be selected")
  func headings() {
    var story = story(["git push", "npm test"], width: 80)
    let text = story.grid.picture.lines
    #expect(text.count { $0.contains("claude") && !$0.contains("──") && !$0.contains("blocked") } == 1)
    for key in ["g", "k", "G", "j"] as [Key] {
      story.press(key)
      if case .waiting = story.state.list.selection { continue }
      Issue.record("\(key) selected a heading")
    }
  }
}
