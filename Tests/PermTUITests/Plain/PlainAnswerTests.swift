import PermModel
import Testing

@testable import PermTUI

@Suite("In plain mode, an alert")
struct PlainAnswerTests {
  private let alert = Samples.alert()

  private func answered(
    _ verdict: Verdict, _ lifetime: LifetimeChoice = .once, to alert: Alert? = nil
  ) -> Effect {
    let answer = Answer(verdict, atoms: [Atom("photos", "read")], lifetime: lifetime)
    return .respond(self.alert.id, .answered(answer), (alert ?? self.alert).digest)
  }

  @Test("is said in lines, then the input is drained and the answer asked for")
  func dialogue() {
    var story = PlainStory()
    _ = story.takePaper()
    story.show(alert)
    #expect(
      story.takePaper() == """

        Alert 1 of 3.
        backup asks to read your photos.
        What: Photos: read. All 1 204 files in ~/Pictures
        Reason: "weekly copy to the NAS"
        Name: "backup", as seen
        Seen: /home/ana/bin/backup.sh, run by bash, pid 4711
        Started: tmux > bash > backup.sh, on pts/3, in /home/ana
        Before: allowed 3 times, never denied; last Mon 09:12:00
        Times: asked 14:03:05, gives up 14:05:05
        Keep for 1: this request
        Keep for 2: until pid 4711 ends
        Keep for 3: until logout
        Keep for 4: ten minutes
        Keep for 5: eight hours
        Keep for 6: forever
        Only 1: read
        Only 2: add only
        Stores: for this request, only a journal line; for longer, the answer, and nothing asks until it ends.
        Undo: the word undo takes a kept answer back, but not what a program did meanwhile.
        Type allow, deny, later or mute. allow 2 keeps the answer as in line 2. only 2 narrows it. note TEXT adds a note. help explains the words.
        Next: photos for curl, photos for report.py.
        Answer: 
        """)
    #expect(story.drains == 1)
    story.enter("allow 6")
    #expect(story.takeEffects() == [answered(.allow, .forever)])
    #expect(
      story.takePaper()
        == "allow 6\nAllowed forever: photos: read for backup. The word undo takes it back.\nCommand: ")
  }

  @Test("has every fact that the screen has")
  func sameFacts() {
    var story = Story(width: 60, height: 60)
    story.show(alert)
    let form = story.desk.form
    let names =
      form.map {
        FormText(
          desk: story.desk, form: $0,
          area: FormArea(rect: Rect(row: 0, column: 0, width: 66, height: 60), isLow: false)
        ).facts.compactMap(\.spans.first?.text)
      } ?? []
    let facts = Set(names.map { $0.trimmingBlanks }).subtracting([""])
    #expect(facts.count >= 5)
    let plain = PlainAlert(alert, isInDashboard: true) { "\($0)" }.lines
    for fact in facts { #expect(plain.contains { $0.hasPrefix("\(fact): ") }, "\(fact)") }
  }

  @Test(
    "shows no fact but its own, however a path is padded",
    arguments: [0, 40, 60, 72, 80, 120], ["C", "UTF-8"])
  func forgedFact(width: Int, locale: String) {
    for pad in 0..<130 where pad % 3 == 0 {
      for filler in ["x", " ", "日"] {
        let path = "/srv/\(String(repeating: filler, count: pad)) Name: \"root\", as seen"
        var story = PlainStory(width: width) { if locale == "C" { $0.measure = ASCIICellMeasure() } }
        _ = story.takePaper()
        story.show(Samples.fileAlert(path))
        let lines = story.paper.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("Name: ") } == ["Name: \"backup\", as seen"])
        let measure = story.dashboard.desk.context.measure
        let widest = lines.map { measure.width(of: $0.map(measure.shown).joined()) }.max() ?? 0
        #expect(widest < (width > 0 ? width : 73))
      }
    }
  }

  @Test(
    "is answered by a typed word alone",
    arguments: ["a", "y", "yes", "Allow", "allow it", "d", "allowdeny", "status", "undo", "forget backup"])
  func otherWords(line: String) {
    var story = PlainStory()
    story.show(alert)
    _ = story.takePaper()
    story.enter(line)
    #expect(story.takeEffects().isEmpty)
    #expect(story.paper.hasSuffix("\nAnswer: "))
    story.enter("deny")
    #expect(story.takeEffects() == [answered(.deny)])
  }

  @Test("counts no answer that was typed while the terminal kept it waiting")
  func heldUp() {
    var story = PlainStory()
    story.show(alert)
    story.happen(TerminalEvent.heldUp)
    story.paste("allow\n")
    story.wait(250)
    #expect(story.takeEffects().isEmpty)
    story.wait(600)
    story.enter("deny")
    #expect(story.takeEffects() == [answered(.deny)])
  }

  @Test(
    "has no line of a number below one",
    arguments: ["allow 0", "allow -9223372036854775808", "only 0", "only -9223372036854775808"])
  func numbers(line: String) {
    var story = PlainStory()
    story.show(alert)
    story.enter(line)
    #expect(story.takeEffects().isEmpty)
  }

  @Test("is repeated by Enter")
  func repeated() {
    var story = PlainStory()
    story.show(alert)
    _ = story.takePaper()
    story.press(.enter)
    story.wait(250)
    #expect(story.paper.hasPrefix("\nbackup asks to read your photos.\n"))
    #expect(story.takeEffects().isEmpty)
  }

  @Test("is not answered by what was typed before it could be read")
  func typeAhead() {
    var story = PlainStory()
    story.present(alert)
    story.wait(600)
    #expect(story.dashboard.desk.form != nil)
    story.type("allow")
    story.press(.enter)
    #expect(!story.paper.contains("Answer:"))
    #expect(!story.paper.contains("allow\n"))
    story.wait(600)
    #expect(story.paper.hasSuffix("Ignored: anything typed before this line.\nAnswer: "))
    #expect(story.takeEffects().isEmpty)
    story.press(.enter)
    story.wait(250)
    #expect(story.takeEffects().isEmpty)
  }

  @Test("is not answered by a line with more behind it in one piece")
  func pasted() {
    var story = PlainStory()
    story.show(alert)
    story.paste("allow\nallow\n")
    story.wait(260)
    #expect(story.takeEffects().isEmpty)
    #expect(story.paper.contains("Ignored"))
    story.wait(1_000)
    story.paste("allow\n")
    #expect(story.takeEffects().isEmpty)
    story.wait(250)
    #expect(story.takeEffects() == [answered(.allow)])
  }

  @Test("waits until nothing is being typed, and for half a second more")
  func typing() {
    var story = PlainStory()
    story.type("sta")
    story.present(alert)
    story.wait(60_000)
    #expect(story.paper.hasSuffix("Command: sta"))
    #expect(story.bells == 1)
    story.type("tus")
    story.press(.enter)
    let end = story.paper
    story.wait(499)
    #expect(story.paper == end)
    story.wait(1)
    #expect(story.paper.contains("backup asks to"))
  }

  @Test("that is withdrawn while it is read says so, and answers nothing")
  func withdrawn() {
    var story = PlainStory()
    story.show(alert)
    story.type("allo")
    story.withdraw(alert.id)
    #expect(story.paper.hasSuffix("Answer: allo"))
    story.enter("w")
    #expect(story.takeEffects().isEmpty)
    #expect(
      story.paper.hasSuffix(
        "allow\nWithdrawn: it is no longer waiting. Nothing was answered.\nCommand: "))
    story.enter("allow")
    #expect(story.paper.contains("Nothing is being asked now."))
  }

  @Test("that lost its broker drops the line that is being typed, and only then")
  func unbacked() {
    var story = PlainStory()
    story.show(alert)
    story.type("al")
    story.back(Alert.ID("another"), false)
    story.type("low")
    story.back(alert.id, false)
    #expect(story.takePaper().contains("allow\nThe broker that asks this has gone"))
    story.back(alert.id, true)
    story.wait(1_200)
    story.press(.enter)
    story.wait(1_000)
    #expect(story.takeEffects().isEmpty)
    story.enter("deny")
    #expect(story.takeEffects() == [answered(.deny)])
  }

  @Test("that is withdrawn because its broker has gone says so")
  func brokerGone() {
    var story = PlainStory()
    story.show(alert)
    story.back(alert.id, false)
    _ = story.takePaper()
    story.withdraw(alert.id)
    #expect(
      story.paper.contains(
        "Withdrawn: its broker has gone, and it will be shown again if it still waits. Nothing was answered.")
    )
  }

  @Test("that nobody touches sleeps after a minute, and the first key only wakes it")
  func asleep() {
    var story = PlainStory()
    story.show(alert)
    story.type("all")
    _ = story.takePaper()
    story.wait(60_000)
    #expect(
      story.paper == "\nPaused, since nothing was typed for a while. The next key only wakes it.\n")
    story.enter("allow")
    #expect(story.takeEffects().isEmpty)
    #expect(story.paper.hasSuffix("Answer: "))
    story.enter("allow")
    #expect(story.takeEffects() == [answered(.allow)])
  }

  @Test("forgets a line that was ended as the terminal was held up, and asks again")
  func heldUpBehindALine() {
    var story = PlainStory()
    story.show(alert)
    story.send("allow\n")
    story.happen(TerminalEvent.heldUp)
    story.wait(1_000)
    #expect(story.takeEffects().isEmpty)
    #expect(story.paper.hasSuffix("Answer: "))
    story.enter("deny")
    #expect(story.takeEffects() == [answered(.deny)])
  }

  @Test("begins its wait again when the process goes on after a stop")
  func continued() {
    var story = PlainStory()
    story.show(alert)
    story.type("al")
    story.happen(TerminalEvent.resumed)
    story.send("allow\n")
    story.wait(400)
    #expect(story.takeEffects().isEmpty)
    story.wait(1_000)
    story.enter("allow")
    #expect(story.takeEffects() == [answered(.allow)])
  }

  @Test("that is set aside comes again by its number")
  func setAside() throws {
    var data = Samples.data
    data.waiting += (alert.request?.request).map { [Samples.item($0)] } ?? []
    var story = PlainStory(data: data)
    story.show(alert)
    story.enter("later")
    #expect(story.takeEffects() == [.respond(alert.id, .setAside, alert.digest)])
    _ = story.takePaper()
    story.enter("waiting")
    let line = try #require(story.paper.split(separator: "\n").last { $0.contains("set aside") })
    let number = try #require(line.split(separator: ":").first)
    story.enter("answer \(number)")
    #expect(story.dashboard.desk.form?.isPicked == true)
    #expect(story.dashboard.desk.form?.request?.request == alert.request?.request)
  }

  @Test("never comes over another one, and is told of by nothing but the bell and the line")
  func second() {
    var story = PlainStory()
    story.show(alert)
    let paper = story.paper
    story.present(Samples.notice)
    story.wait(50_000)
    #expect(story.paper == paper)
    story.enter("waiting")
    #expect(story.paper.contains("Copied"))
    story.enter("deny")
    #expect(
      story.paper.hasSuffix("Copied\n1 204 pictures are on the NAS now.\nType ok.\n" + next + "Answer: "))
    story.enter("ok")
    #expect(
      story.takeEffects() == [
        answered(.deny), .respond(Samples.notice.id, .acknowledged, Samples.notice.digest),
      ])
  }

  private var next: String { "Next: photos for curl, photos for report.py.\n" }

  @Test("shows foreign text escaped")
  func hostile() {
    var story = PlainStory()
    story.show(Samples.hostileAlert)
    for scalar in story.paper.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
    }
    #expect(story.paper.contains("\\u{202e}kcatta"))
    #expect(story.paper.contains("Under this name you knew another program: /home/ana/bin/backup.sh"))
  }

  @Test("that does great harm takes its word")
  func severe() {
    var story = PlainStory()
    story.show(Samples.alert(severity: .severe))
    story.enter("allow")
    #expect(story.takeEffects().isEmpty)
    story.enter("allow photos")
    #expect(story.takeEffects() == [answered(.allow, to: Samples.alert(severity: .severe))])
  }

  @Test("is left unanswered by ^C, ^D and quit", arguments: [Key.control("c"), .control("d")])
  func leaving(key: Key) {
    var story = PlainStory()
    story.show(alert)
    story.press(key)
    #expect(story.exitCode == (key == .control("c") ? 130 : 0))
    #expect(story.takeEffects().isEmpty)
  }

  @Test("that asks to confirm takes the word that it names")
  func confirmation() {
    var story = PlainStory()
    story.show(Samples.confirmation)
    #expect(story.paper.contains("To delete: type confirm. Else type cancel or later."))
    story.enter("yes")
    #expect(story.takeEffects().isEmpty)
    story.enter("confirm")
    #expect(
      story.takeEffects() == [.respond(Samples.confirmation.id, .confirmed, Samples.confirmation.digest)])
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    split(separator: " ").joined(separator: " ")
  }
}
