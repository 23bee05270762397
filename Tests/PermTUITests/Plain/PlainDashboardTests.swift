import Foundation
import PermModel
import Testing

@testable import PermTUI

@Suite("The dashboard line by line")
struct PlainDashboardTests {
  private func said(_ line: String, in story: inout PlainStory) -> [String] {
    _ = story.takePaper()
    story.enter(line)
    return story.paper.split(separator: "\n").dropFirst().dropLast().map { String($0) }
  }

  @Test("begins with what there is, and how to go on")
  func greeting() {
    #expect(
      PlainStory().paper == """
        PermTUI, line by line.
        2 waiting, 6 allowed, 2 denied. Programs: listening.
        Type help for the words.
        Command: 
        """)
    #expect(
      PlainStory(data: Samples.data(decisions: [])).paper.contains(
        "permtui request commands:run@'git push origin main'"))
  }

  @Test("tells every capability in a line")
  func status() {
    var story = PlainStory()
    let lines = said("status", in: &story)
    #expect(lines[0] == "2 waiting, 6 allowed, 2 denied. Programs: listening.")
    #expect(lines.contains("Photos: 2 waiting; backup, thumbs; last asked 14:03"))
    #expect(lines.contains("Camera: denied; nobody; not video-chat; last asked Sun 17:40"))
    #expect(lines.contains("Health: unavailable; no health folder is set"))
    #expect(lines.count == 8)
  }

  @Test(
    "answers each word",
    arguments: [
      ("status photos", "photos: read for backup, allowed forever, decided Mon 09:12 by you, here"),
      ("status backup", "backup (/home/ana/bin/backup)"),
      ("status nobody", "Nothing is decided for nobody."),
      ("waiting", "1: photos for curl, in line, asked 14:03"),
      ("programs", "video-chat (/home/ana/bin/video-chat): may not use Camera"),
      ("operations", "photos for curl waits for your answer since 14:03; in line, and comes up next"),
      ("programs", "report.py (not seen yet): waits for Photos"),
      ("log", "Nothing happened yet."), ("log no", "Type: log [COUNT]"),
      ("help forget", "forget PROGRAM [CAPABILITY]: back to undecided, so that the program asks again"),
      ("stauts", "There is no word stauts. Did you mean status?"),
      ("later", "Nothing is being asked now, so nothing was answered."),
      ("help mute", "mute: deny, and deny this program's further requests for an hour"),
      ("allow", "Nothing is being asked now. Type: allow PROGRAM CAPABILITY [for LIFETIME]"),
      ("allow backup photso", "Error: there is no capability \"photso\"; did you mean \"photos\"?."),
      (
        "allow backup photos for once",
        "Error: 'once' keeps nothing, so it can only answer a request; use a time, as in 10m."
      ),
      ("deny /no/such/file photos", "Error: there is no file '/no/such/file'."),
      ("forget backup camera", "Nothing is decided about that."),
      ("answer 7", "There is no number 7 under waiting."),
      ("answer -9223372036854775808", "There is no number -9223372036854775808 under waiting."),
      ("lift", "There is no panic to lift."),
      ("find VIDEO", "video-chat (/home/ana/bin/video-chat): may not use Camera"),
      ("find report.py", "2: photos for report.py"), ("find", "Type: find TEXT"),
      ("find nothing like it", "No line has that text."),
      ("together deny 3", "There is no number 3 under waiting."),
      ("together maybe 1", "Type: together allow or deny NUMBER… [for LIFETIME]"),
      ("together deny", "Type: together allow or deny NUMBER… [for LIFETIME]"),
      ("together deny 1 for", "Type: together allow or deny NUMBER… [for LIFETIME]"),
      ("together deny for 8h", "Type: together allow or deny NUMBER… [for LIFETIME]"),
      ("undo now", "Type: undo"), ("waiting 1", "Type: waiting"),
      (
        "deny backup camera for banana",
        "Error: 'banana' is not a lifetime; use once, process, session, forever, 10m, 8h, or a date as in 2026-12-24T18:00."
      ),
      (
        "deny backup files:read@/a\\q",
        "Error: \"/a\\q\": \\q is not an escape; write \\\\ for a backslash."
      ),
      ("ask photso", "There is no capability photso. Did you mean photos?"),
    ])
  func words(line: String, reply: String) {
    var story = PlainStory()
    let lines = said(line, in: &story)
    #expect(lines.contains { $0.hasPrefix(reply) }, "\(lines)")
    #expect(story.takeEffects().isEmpty)
  }

  @Test("says how much waits on an empty line")
  func emptyLine() {
    var story = PlainStory()
    story.press(.enter)
    #expect(
      story.paper.hasSuffix("Command: \n2 waiting, 6 allowed, 2 denied. Programs: listening.\nCommand: "))
  }

  @Test("decides by name, with quotes around blanks")
  func deciding() {
    var story = PlainStory()
    #expect(
      said("allow \"my program\" calendar:reminders for 8h", in: &story) == [
        "Allowed calendar:reminders for my program, eight hours. The word undo takes it back."
      ])
    let answer = Answer(
      .allow, atoms: [Atom("calendar", "reminders")], lifetime: .duration(.seconds(8 * 3600)))
    #expect(story.takeEffects() == [.decide(Subject(label: "my program"), capability: "calendar", answer)])
  }

  @Test("forgets one decision at once, and several after a question that lists them")
  func forgetting() {
    var story = PlainStory()
    let backup = Subject(label: "backup", path: "/home/ana/bin/backup")
    #expect(
      said("forget backup", in: &story) == [
        "Forgot: photos: read for backup, allowed forever. The word undo takes it back."
      ])
    #expect(story.takeEffects() == [.forget(.program(backup))])

    var more = PlainStory(
      data: Samples.data(decisions: Samples.decisions + [Samples.decision("backup", Atom("camera"), .deny)]))
    more.enter("forget backup")
    #expect(more.paper.contains("Forget 2 decisions?"))
    #expect(more.paper.contains("camera for backup, denied forever"))
    more.wait(600)
    more.enter("cancel")
    #expect(more.takeEffects().isEmpty)
    more.enter("forget backup")
    more.wait(600)
    more.enter("confirm")
    #expect(more.takeEffects() == [.forget(.program(backup))])
  }

  @Test("allows every command until log-out at most, and says why")
  func limits() {
    var story = PlainStory()
    story.enter("allow claude commands:run@*")
    let answer = Answer(.allow, atoms: [Atom("commands", "run")], lifetime: .session)
    #expect(story.takeEffects() == [.decide(Subject(label: "claude"), capability: "commands", answer)])
    story.enter("allow claude commands:run@* for forever")
    #expect(story.takeEffects().isEmpty)
    #expect(story.paper.contains("cannot be allowed for so long, because every command"))
  }

  @Test("answers several requests alike, after it has said which", arguments: [Verdict.allow, .deny])
  func together(verdict: Verdict) {
    var story = PlainStory()
    let word = verdict == .allow ? "allow" : "deny"
    story.enter("together \(word) 2 1")
    story.wait(600)
    #expect(story.paper.contains("2 requests?\n· photos: "))
    #expect(story.paper.contains("for curl") && story.paper.contains("for report.py"))
    story.enter("cancel")
    #expect(story.takeEffects().isEmpty)
    story.enter("together \(word) 2 1")
    story.wait(600)
    story.enter("confirm")
    #expect(
      story.takeEffects() == [
        .answerTogether(Samples.waiting.map { Samples.pending($0, in: Samples.data) }, verdict, .once)
      ])
  }

  @Test("answers several requests for as long as it is told, if all of them offer that")
  func togetherFor() {
    var story = PlainStory()
    story.enter("together deny 1 2 for 8h")
    story.wait(600)
    #expect(story.paper.contains("Deny 2 requests, for eight hours?"))
    story.enter("confirm")
    let lifetimes = story.takeEffects().compactMap { effect -> LifetimeChoice? in
      if case .answerTogether(_, .deny, let lifetime) = effect { lifetime } else { nil }
    }
    #expect(lifetimes == [.duration(.seconds(8 * 3600))])
    story.enter("together deny 1 2 for 33m")
    story.wait(600)
    #expect(story.paper.contains("for once, session, 10m, 8h or forever"))
    #expect(story.takeEffects().isEmpty)
  }

  @Test("undoes, panics, and lifts the panic after a question")
  func panic() {
    var data = Samples.data
    var story = PlainStory(data: data)
    story.enter("undo")
    story.enter("panic")
    #expect(story.takeEffects() == [.find(.undo), .setPanic(true)])
    data.panicSince = Samples.today(14, 3)
    story.happen(.changed(data))
    #expect(story.paper.contains("PANIC since 14:03"))
    story.enter("lift")
    story.wait(600)
    story.enter("confirm")
    #expect(story.takeEffects() == [.setPanic(false)])
    #expect(story.paper.contains("The panic is lifted."))
  }

  @Test("asks and runs examples as the view of a capability does")
  func asking() {
    var story = PlainStory()
    story.enter("ask photos")
    story.enter("example photos")
    #expect(story.takeEffects() == [.askNow(capability: "photos"), .runExample(capability: "photos")])
    story.happen(.exampleEnded(capability: "photos", .done(["48 pict\u{1b}ures"])))
    #expect(story.paper.contains("The example of Photos:\n48 pict\\u{1b}ures\n"))
    #expect(said("ask health", in: &story).first?.contains("no health folder is set") == true)
  }

  @Test("tells what others changed, and not while a line is being typed")
  func news() {
    var story = PlainStory()
    story.type("wai")
    _ = story.takePaper()
    story.happen(
      .noticed([
        news("video-chat", "camera", .commandLine), news("backup", "photos", .dashboard(id: Samples.here)),
        news("curl", "photos", .rule("cr\u{1b}on"), isGone: true),
      ]))
    #expect(story.takePaper().isEmpty)
    story.enter("ting")
    #expect(
      story.paper.contains(
        "\nNot here, 14:03, by a command: camera for video-chat, denied until 15:03\n"
          + "Not here, 14:03, by the rule cr\\u{1b}on: Photos for curl, undecided again\nCommand: "))
    #expect(!story.paper.contains("backup"))
  }

  private func news(
    _ label: String, _ capability: String, _ origin: Origin, isGone: Bool = false
  ) -> DecisionNews {
    let subject = Subject(label: label, path: "/home/ana/bin/\(label)")
    return DecisionNews(
      id: .init(subject: subject, capability: capability), origin: origin, at: Samples.today(14, 3),
      isGone: isGone)
  }

  @Test("tells that the broker has gone, and who takes over", arguments: ["listening", "second dashboard"])
  func brokerGone(next: String) {
    var data = Samples.data
    data.connection = "second dashboard"
    var story = PlainStory(data: data)
    _ = story.takePaper()
    for words in ["", next] {
      data.connection = words
      story.happen(.changed(data))
    }
    #expect(
      story.paper
        == "\nThe broker has gone: the next dashboard takes over.\nCommand: \nPrograms: \(next).\nCommand: ")
  }

  @Test("tells what ended by itself")
  func ending() {
    var story = PlainStory()
    story.wait(90_000)
    #expect(story.paper.hasSuffix("\nEnded: photos: read for thumbs, allowed until 14:05\nCommand: "))
  }

  @Test("edits the line being typed")
  func editing() {
    var story = PlainStory()
    story.type("statsu")
    story.press(.backspace)
    story.press(.backspace)
    story.type("us no such")
    story.press(.control("w"))
    story.press(.control("w"))
    #expect(story.paper.hasSuffix("Command: status "))
    story.press(.control("u"))
    #expect(story.paper.hasSuffix("Command: "))
    story.press(.left)
    story.press(.escape)
    story.happen(.input([.noise]))
    #expect(story.paper.hasSuffix("Command: "))
  }

  @Test("rings for what waits, unless it shall not", arguments: [true, false])
  func bell(rings: Bool) {
    var story = PlainStory { $0.preferences.rings = rings }
    story.show(Samples.alert())
    #expect(story.bells == (rings ? 1 : 0))
  }

  @Test("writes the line anew after the shell had the terminal")
  func resumed() {
    var story = PlainStory()
    story.type("sta")
    _ = story.takePaper()
    story.happen(.resumed)
    #expect(story.paper == "Command: sta")
  }

  @Test("asks nothing of the clock while nothing is due")
  func idle() {
    #expect(PlainStory(data: Samples.data(decisions: [])).dashboard.nextDeadline == nil)
  }

  @Test("docs/plain.md lists the words as they are")
  func documentation() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let file = root.appending(path: "docs/plain.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains(PlainWord.markdown))
  }
}
