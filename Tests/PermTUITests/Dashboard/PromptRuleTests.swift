import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The rules for every prompt")
struct PromptRuleTests {
  private let alert = Samples.alert()

  /// An alert whose lines about the program are not folded into one.
  private let long = Samples.alert(identity: .firstTime)

  private func respond(_ response: AlertResponse, to alert: Alert? = nil) -> Effect {
    .respond(self.alert.id, response, (alert ?? self.alert).digest)
  }

  private func allowed(_ lifetime: LifetimeChoice = .once, to alert: Alert? = nil) -> Effect {
    respond(.answered(Answer(.allow, atoms: [Atom("photos", "read")], lifetime: lifetime)), to: alert)
  }

  private func denied(_ lifetime: LifetimeChoice = .once) -> Effect {
    respond(.answered(Answer(.deny, atoms: [Atom("photos", "read")], lifetime: lifetime)))
  }

  @Test("The key that quits does nothing in an alert, and says where it works")
  func quitting() {
    var story = Story()
    story.show(alert)
    _ = story.takeEffects()
    story.press("q")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.alertID == alert.id)
    #expect(story.grid.picture.contains("q quits from the list behind this, not from here."))
    story.press("z")
    #expect(!story.grid.picture.contains("q quits"))
  }

  // MARK: - Appearing

  @Test("An alert appears once no key was pressed for half a second, and the header counts it until then")
  func appearsWhenQuiet() {
    var story = Story()
    story.press("j")
    story.present(alert)
    story.wait(499)
    #expect(story.desk.form == nil)
    #expect(story.grid.picture.lines[0].contains("3 waiting"))
    story.wait(1)
    #expect(story.desk.form?.alertID == alert.id)
  }

  @Test(
    "Each key puts the alert off for another half a second",
    arguments: [Action.keys(["j"]), .noise, .paste("x")])
  func keysPutItOff(action: Action) {
    var story = Story()
    story.present(alert)
    for _ in 0..<5 {
      story.wait(400)
      story.happen(action)
    }
    story.wait(499)
    #expect(story.desk.form == nil)
    story.wait(1)
    #expect(story.desk.form != nil)
  }

  @Test("An alert never appears over a text field that has the focus")
  func neverOverATextField() {
    var story = Story()
    story.press("/", "c")
    story.present(alert)
    story.wait(60_000)
    #expect(story.desk.form == nil)
    #expect(story.state.nextDeadline.map { $0 > story.now.milliseconds } ?? true)
    story.press(.enter)
    story.wait(500)
    #expect(story.desk.form != nil)
  }

  @Test("An alert never appears on a screen that cannot show it")
  func neverTooSmall() {
    var story = Story(width: 39, height: 15)
    story.present(alert)
    story.wait(10_000)
    #expect(story.desk.form == nil)
    #expect(story.grid.picture.contains("Too small: needs 40×10, 3 waiting"))
    story.happen(.resized(Size(width: 80, height: 24)))
    story.wait(500)
    #expect(story.desk.form != nil)
  }

  // MARK: - Arming

  @Test(
    "Keys pressed before the alert is armed answer nothing",
    arguments: [Key.character("a"), "y", "d", "n", "M", .enter])
  func unarmed(key: Key) {
    var story = Story()
    story.present(alert)
    story.wait(500)
    for _ in 0..<20 {
      story.wait(299)
      story.happen(.keys([key]))
    }
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form != nil)
  }

  @Test("A key answers once the alert was visible for half a second, and nothing follows the key")
  func armed() {
    var story = Story()
    story.present(alert)
    story.wait(1_000)
    story.happen(.keys(["a"]))
    #expect(story.grid.picture.contains("> Allow <"))
    story.wait(249)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(1)
    #expect(story.takeEffects().deeds == [allowed()])
    #expect(story.desk.form == nil)
  }

  @Test("A paste never answers, and disarms")
  func paste() {
    var story = Story()
    story.show(alert)
    story.happen(.paste("aaa\rddd"))
    story.press("a", "d")
    story.wait(300)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(500)
    story.strike("d")
    #expect(story.takeEffects().deeds == [denied()])
  }

  @Test("Different keys that came together answer nothing, which is said")
  func burst() {
    for burst in [["d", "o", "a"], ["a", .enter], ["j", "a"], ["a", "j"]] as [[Key]] {
      var story = Story()
      story.show(alert)
      story.happen(.keys(burst))
      story.wait(1_000)
      #expect(story.takeEffects().deeds.isEmpty, "\(burst)")
      let isTold = story.grid.picture.contains("Different keys came together")
      #expect(isTold == (burst.first == "a"), "\(burst)")
    }
  }

  @Test("A key that is held down answers nothing, which is said")
  func held() {
    var story = Story()
    story.show(alert)
    for _ in 0..<5 {
      story.wait(33)
      story.happen(.keys(["a"]))
    }
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains("A key that is held down has no effect."))
  }

  @Test("A repeat that the terminal reports never counts, and the press before it does")
  func repeats() {
    var story = Story()
    story.present(alert)
    story.wait(500)
    for _ in 0..<20 {
      story.wait(200)
      story.happen(.repeated)
    }
    story.press("a")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty, "it was not quiet")
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed()])
  }

  @Test("The hint about a key that came too early goes when keys count")
  func notYet() {
    var story = Story()
    story.present(alert)
    story.wait(500)
    story.press("a")
    #expect(story.grid.picture.contains("Not yet: keys count once the button lights up."))
    story.wait(500)
    #expect(!story.grid.picture.contains("Not yet"))
    #expect(story.grid.picture.contains("a allow"))
  }

  @Test("An alert that nobody touches sleeps after a minute, and the first key only wakes it")
  func asleep() {
    var story = Story()
    story.show(alert)
    story.strike("6")
    story.wait(59_699)
    #expect(!story.grid.picture.contains("Paused: press any key"))
    story.wait(1)
    #expect(story.grid.picture.contains("Paused: press any key"))
    #expect(story.state.nextDeadline.map { $0 > story.now.milliseconds + 1_000 } ?? true)
    story.press(.escape)
    #expect(story.desk.form != nil)
    #expect(!story.grid.picture.contains("Paused: press any key"))
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty, "half a second has not passed")
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed()], "the choice is back at this request")
  }

  @Test(
    "An event that begins the wait again puts focus, scope and lifetime back",
    arguments: [
      Action.resized(Size(width: 80, height: 24)), .focused, .noise, .heldUp, .keys(["z"]), .paste("x"),
    ])
  func startsOver(action: Action) {
    var story = Story()
    story.show(alert)
    story.strike("6", "r", .tab)
    story.happen(action)
    #expect(story.desk.form?.focus == 0)
    #expect(story.desk.form?.keepFor == 0)
    #expect(story.desk.form?.choice == 0)
    story.wait(499)
    story.happen(.keys(["a"]))
    story.wait(300)
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed()])
  }

  @Test("It counts as visible only once a frame with it was completely painted")
  func unpainted() {
    var story = Story()
    story.isFrozen = true
    story.present(alert)
    story.wait(10_000)
    story.strike("a", "d", .enter)
    #expect(story.takeEffects().deeds.isEmpty)
    story.isFrozen = false
    story.happen(.heldUp)
    story.wait(400)
    story.happen(.keys(["a"]))
    story.wait(300)
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed()])
  }

  @Test("A reply of the terminal disarms")
  func reply() {
    var story = Story()
    story.show(alert)
    story.happen(.noise)
    story.press("a")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("A key that means nothing here disarms: it was meant for something else")
  func strayKey() {
    var story = Story()
    story.show(alert)
    story.press("z")
    story.wait(450)
    story.press("a")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("Choosing how long to keep the answer leaves the alert armed")
  func choosingStaysArmed() {
    var story = Story()
    story.show(alert)
    story.strike("6", "a")
    #expect(story.takeEffects().deeds == [allowed(.forever)])
  }

  @Test("A resize under the alert starts the wait again")
  func resize() {
    var story = Story()
    story.show(alert)
    story.happen(.resized(Size(width: 100, height: 30)))
    story.press("a")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  // MARK: - Answering

  @Test("Enter alone denies, once armed")
  func enterDenies() {
    var story = Story()
    story.show(alert)
    story.strike(.enter)
    #expect(story.takeEffects().deeds == [denied()])
  }

  @Test("Enter allows only after the focus was moved to Allow")
  func enterOnAllow() {
    var story = Story()
    story.show(alert)
    story.strike(.tab, .enter)
    #expect(story.takeEffects().deeds == [allowed()])
  }

  @Test("Esc sets aside at once, even unarmed")
  func escape() {
    var story = Story()
    story.present(alert)
    story.wait(500)
    story.happen(.keys([.escape]))
    #expect(story.takeEffects().deeds == [respond(.setAside)])
    #expect(story.desk.setAside == [alert])
  }

  @Test("^C leaves, and answers nothing")
  func interrupt() {
    var story = Story()
    story.show(alert)
    story.press(.control("c"))
    #expect(story.takeEffects().deeds == [.quit(isInterrupt: true)])
  }

  @Test("The end of input answers nothing")
  func inputEnded() {
    var story = Story()
    story.show(alert)
    story.happen(.inputEnded)
    #expect(story.takeEffects().deeds == [.quit(isInterrupt: false)])
  }

  @Test("The passing of time answers nothing")
  func time() {
    var story = Story()
    story.show(alert)
    story.wait(24 * 3600 * 1000)
    #expect(story.takeEffects().deeds.filter { $0 != .refresh }.isEmpty)
    #expect(story.desk.form != nil)
  }

  @Test("The keep-for choice starts at this request, and both answers take one")
  func keepFor() {
    var story = Story()
    story.show(alert)
    #expect(story.grid.picture.contains("(1) this request"))
    story.strike("4", "d")
    #expect(story.takeEffects().deeds == [denied(.duration(.seconds(600)))])
  }

  @Test("A change of a decision keeps the end that it has, unless the person says otherwise")
  func keepsEnd() throws {
    let ends: [(Lifetime, LifetimeChoice, String)] = [
      (Samples.until(Samples.today(15, 4)), .until(Samples.today(15, 4)), "(2) until 15:04"),
      (.session("login"), .session, "(3) until logout"), (.forever, .forever, "(6) forever"),
    ]
    for (lifetime, choice, words) in ends {
      let decision = Samples.decision("backup", Atom("photos", "read"), .allow, lifetime)
      var story = Story(data: Samples.data(decisions: [decision]))
      story.press(.enter, .enter)
      story.wait(1_200)
      #expect(story.grid.picture.contains(words), "\(story.grid.picture.text)")
      story.strike("d")
      let answer = Answer(.deny, atoms: [Atom("photos", "read")], lifetime: choice)
      #expect(
        story.takeEffects().deeds == [.decide(decision.subject, capability: "photos", answer)], "\(words)")
    }
  }

  @Test("A change of a decision that ends with a process says that this end cannot be kept")
  func losesEnd() {
    let process = ProcessIdentity(pid: 4711, startTime: 1)
    let decision = Samples.decision("backup", Atom("photos", "read"), .allow, .process(process))
    var story = Story(data: Samples.data(decisions: [decision]))
    story.press(.enter, .enter)
    story.wait(1_200)
    let words = "the end of pid 4711 cannot be kept"
    #expect(story.grid.picture.contains(words), "\(story.grid.picture.text)")
  }

  // MARK: - Reading

  @Test("A new alert never replaces the one being read")
  func neverReplaced() {
    var story = Story()
    story.show(alert)
    let before = story.grid.picture
    story.present(Samples.alert(label: "curl"))
    story.wait(5_000)
    #expect(story.desk.form?.alertID == alert.id)
    #expect(Array(story.grid.picture.lines[2..<18]) == Array(before.lines[2..<18]))
    story.happen(.keys(["d"]))
    story.wait(249)
    #expect(story.desk.form?.alertID == alert.id)
    story.wait(1)
    #expect(story.takeEffects().deeds == [denied()])
    #expect(
      story.desk.form?.alertID == Samples.alert(label: "curl").id, "after an answer the next shows at once")
    story.wait(499)
    #expect(!story.desk.prompt.isArmed, "the key before it is not old enough")
    story.wait(1)
    #expect(story.desk.prompt.isArmed)
  }

  @Test("After one that was set aside the next waits until no key was pressed for half a second")
  func afterSettingAside() {
    var story = Story()
    story.show(alert)
    story.present(Samples.alert(label: "curl"))
    story.press(.escape)
    story.wait(499)
    #expect(story.desk.form == nil)
    story.wait(1)
    #expect(story.desk.form != nil)
  }

  @Test("No alert comes up by itself over the waiting list, but one that the person asks for does at once")
  func overWaiting() {
    var story = Story()
    story.press("w")
    story.present(alert)
    story.wait(10_000)
    #expect(story.desk.form == nil)
    #expect(story.grid.picture.lines[0].contains("3 waiting"))
    #expect(story.state.nextDeadline.map { $0 > story.now.milliseconds } ?? true)
    story.press("G", .enter)
    #expect(story.desk.form?.alertID == alert.id)
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty, "it is not armed yet")
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed()])
  }

  @Test("A key pressed while the terminal held the alert up does not answer it, and delays no other alert")
  func heldUp() {
    var story = Story()
    story.show(alert)
    story.happen(.heldUp)
    story.press("d")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(600)
    story.strike("d")
    #expect(story.takeEffects().deeds.count == 1)
    story.wait(2_000)
    story.happen(.heldUp)
    story.present(alert)
    #expect(story.desk.form != nil)
  }

  @Test(
    "A name of letters that only look like those of another is doubted",
    arguments: [
      ("backup", false), ("back\u{430}p", true), ("резерв", false), ("naïve", false), ("b\u{ff41}ckup", true),
    ])
  func lookAlikes(label: String, isDoubted: Bool) {
    var story = Story(width: 100, height: 40)
    story.show(Samples.alert(label: label))
    #expect(story.grid.picture.contains("letters of two alphabets") == isDoubted)
    let plain = PlainAlert(Samples.alert(label: label), isInDashboard: true).lines
    #expect(plain.contains { $0.contains("letters of two alphabets") } == isDoubted)
  }

  @Test("A narrowed request is not explained as the whole")
  func narrowed() {
    var story = Story(width: 100, height: 40)
    story.show(Samples.alert())
    #expect(story.grid.picture.contains("Photos: read. All 1 204 files"))
    story.strike("r")
    #expect(story.grid.picture.contains("Photos: add only."))
    #expect(!story.grid.picture.contains("Photos: add only. All"))
  }

  @Test("A note goes on being typed when the program goes away, and none of its letters is a command")
  func withdrawnWhileTyping() {
    var story = Story()
    story.show(alert)
    story.strike("t")
    story.type("re")
    story.withdraw(alert.id)
    story.type("quest! xu")
    #expect(story.desk.form?.note.text == "request! xu")
    #expect(story.takeEffects().deeds.isEmpty)
    story.press(.enter)
    #expect(story.desk.form != nil)
    story.strike("q")
    #expect(story.desk.form == nil)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("A withdrawn alert stays, says so, and answers nothing")
  func withdrawn() {
    var story = Story()
    story.show(alert)
    story.withdraw(alert.id)
    #expect(story.grid.picture.contains("Withdrawn"))
    story.wait(1_000)
    story.strike("a", "y", "d", "n", "M", "6", "r", "t", .tab)
    #expect(story.desk.form != nil)
    story.wait(1_000)
    story.strike(.enter)
    #expect(story.desk.form == nil)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("Allow is locked until all of a long request has been on the screen; deny is not")
  func lockedUntilSeen() {
    var story = Story(width: 60, height: 15)
    story.show(long)
    story.strike("a")
    #expect(story.grid.picture.contains("Unread: lines 7-13. Space goes there"))
    story.strike("G", "a")
    #expect(story.takeEffects().deeds.isEmpty, "the middle has not been seen")
    story.press("g", .pageDown, .pageDown)
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty, "the middle was hardly seen")
    story.strike("g", .pageDown, .pageDown, "a")
    #expect(story.takeEffects().deeds == [allowed(to: long)])
  }

  @Test("Space does not leave a page that was not on the screen long enough, and says so")
  func spaceTooEarly() {
    var story = Story(width: 60, height: 15)
    story.present(long)
    while story.desk.form == nil { story.wait(20) }
    story.wait(200)
    story.happen(.keys([" "]))
    #expect(story.desk.form?.scroll == 0)
    #expect(story.grid.picture.contains("read this page first"))
    story.wait(600)
    story.happen(.keys([" "]))
    #expect(story.desk.form?.scroll != 0)
    #expect(!story.grid.picture.contains("read this page first"), "the message leaves with the next key")
  }

  @Test("The frame names the lines that were skipped, and the key for the first line goes there")
  func skippedLines() throws {
    var story = Story(width: 60, height: 15)
    story.show(long)
    let height = try #require(story.desk.form?.viewHeight)
    story.strike("G")
    #expect(story.grid.picture.contains("read lines \(height + 1)-"))
    #expect(story.grid.picture.contains("g unread"))
    story.strike("a")
    #expect(story.grid.picture.contains("Unread: line 7. g goes there"))
    story.strike("g")
    #expect(story.desk.form?.scroll == height)
    #expect(!story.grid.picture.contains("goes there"))
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed(to: long)])
  }

  @Test("Allow is locked also where the rest is seen only while the key is waited for")
  func seenWhileWaiting() {
    var story = Story(width: 60, height: 15)
    story.show(long)
    story.strike(.pageDown)
    story.wait(500)
    story.press(.pageDown)
    story.wait(310)
    story.happen(.keys(["a"]))
    story.wait(250)
    #expect(story.desk.form?.hasShownAll == true)
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed(to: long)])
  }

  @Test("Allow is locked again until the lines that a new choice has changed were on the screen")
  func changedByChoice() {
    var story = Story(width: 60, height: 15)
    story.show(alert)
    story.strike(.pageDown, .pageDown, "g")
    #expect(story.desk.form?.hasShownAll == true)
    story.strike("6")
    #expect(story.desk.form?.hasShownAll == false, "what it stores is below")
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
    story.strike("G")
    #expect(story.desk.form?.hasShownAll == false, "it was hardly seen")
    story.wait(500)
    #expect(story.desk.form?.hasShownAll == true)
    story.strike("a")
    #expect(story.takeEffects().deeds == [allowed(.forever)])
  }

  @Test("A choice does not make lines count as seen that were not")
  func choiceBeforeReading() {
    var story = Story(width: 60, height: 15)
    story.show(long)
    story.strike("6")
    story.press("G")
    story.strike("1")
    #expect(story.desk.form?.hasShownAll == false)
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty, "the middle has not been seen")
  }

  @Test("Another page of the form does not count as reading the request")
  func otherPage() {
    var story = Story(width: 60, height: 15)
    story.show(alert)
    story.strike("?")
    story.wait(2_000)
    story.strike("G", "g")
    story.strike(.escape)
    story.wait(2_000)
    #expect(story.desk.form?.page == .facts)
    #expect(story.desk.form?.hasShownAll == false)
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("Deny does not wait for reading")
  func denyUnread() {
    var story = Story(width: 60, height: 15)
    story.show(alert)
    story.strike("d")
    #expect(story.takeEffects().deeds == [denied()])
  }

  @Test("Help covers the alert, so it must be armed again afterwards")
  func pages() {
    var story = Story()
    story.show(alert)
    story.strike("?")
    #expect(story.desk.form?.page != .facts)
    story.wait(1_000)
    story.press("a", "d", .escape, "a", "d")
    story.wait(300)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.page == .facts)
  }

  // MARK: - More than yes and no

  @Test("Narrowing allows less than was asked for")
  func narrowing() {
    var story = Story()
    story.show(alert)
    story.strike("r")
    #expect(story.grid.picture.contains("Photos: add only."))
    story.strike("a")
    #expect(
      story.takeEffects().deeds == [
        respond(.answered(Answer(.allow, atoms: [Atom("photos", "add-only")])))
      ])
  }

  @Test("A note goes with the answer, and its keys answer nothing")
  func note() {
    var story = Story()
    story.show(alert)
    story.strike("6", "t")
    story.type("any day")
    story.press(.enter, .enter)
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(500)
    story.strike("d")
    #expect(
      story.takeEffects().deeds == [
        respond(
          .answered(Answer(.deny, atoms: [Atom("photos", "read")], lifetime: .forever, note: "any day")))
      ])
  }

  @Test("Deny and mute mutes")
  func mute() {
    var story = Story()
    story.show(alert)
    story.strike("M")
    #expect(
      story.takeEffects().deeds == [
        respond(.answered(Answer(.deny, atoms: [Atom("photos", "read")], mutes: true)))
      ])
  }

  @Test("Behind walls, D denies all that the run asks; for any other program it says why it does not")
  func denyRest() {
    var story = Story()
    story.show(Samples.walledAlert)
    story.strike("D")
    let answers = story.takeEffects().deeds.compactMap { effect -> Answer? in
      if case .respond(_, .answered(let answer), _) = effect { answer } else { nil }
    }
    #expect(answers.map(\.verdict) == [.deny])
    #expect(answers.map(\.lifetime) == [.process])
    #expect(answers.map(\.mutes) == [true])
    story = Story()
    story.show(alert)
    story.strike("D")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains("Only a program behind walls has a run that ends."))
  }

  @Test("K allows what was allowed several times today, and keeps it; elsewhere it answers nothing")
  func keepSuggested() throws {
    var story = Story()
    story.show(Samples.oftenAlert)
    #expect(story.grid.picture.contains("K keeps it until logout"))
    story.strike("K")
    let atoms = try #require(Samples.oftenAlert.request?.request.atoms)
    let kept = AlertResponse.answered(Answer(.allow, atoms: atoms, lifetime: .session))
    let effect = Effect.respond(Samples.oftenAlert.id, kept, Samples.oftenAlert.digest)
    #expect(story.takeEffects().deeds == [effect])
    story = Story()
    story.show(alert)
    story.strike("K")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains("Only what you allowed often today is kept with this key."))
  }

  /// An alert for a line that runs what the asking program may write, in a project for which that is allowed.
  private static let writtenAlert: Alert = {
    var facts = ValueFacts()
    facts.writer = "claude"
    let reason = "claude may write what it runs"
    let cover = CoverOffer(nil, words: "exactly this line", longest: .session, limitReason: reason)
    let often = Samples.oftenAlert.request
    return Samples.valueAlert(
      [Samples.commandAtom("npm test")], Capability.value("commands"), Samples.claudeSubject, Samples.claude,
      at: Samples.today(14, 3, 5), covers: [cover], often?.history ?? AnswerHistory(), facts: facts,
      severity: .severe)
  }()

  @Test("K asks for the word where one is needed, and keeps nothing without it")
  func keepByWord() throws {
    var story = Story()
    story.show(Self.writtenAlert)
    story.strike("K")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains("Type runs to go on:"))
    #expect(story.desk.form?.lifetime == .session)
    story.press(.escape)
    #expect(story.desk.form?.entry == nil && story.desk.form?.lifetime == .once)
    story.wait(1_000)
    story.strike("K")
    story.type("run")
    story.press(.enter)
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
    story.type("runs")
    story.press(.enter)
    story.wait(1_000)
    let atoms = try #require(Self.writtenAlert.request?.request.atoms)
    let kept = AlertResponse.answered(Answer(.allow, atoms: atoms, lifetime: .session))
    #expect(
      story.takeEffects().deeds == [
        Effect.respond(Self.writtenAlert.id, kept, Self.writtenAlert.digest)
      ])
  }

  @Test(
    "A restart of the wait while K asks for the word keeps nothing, and no choice from before it comes back")
  func keepByWordRestarted() {
    var story = Story()
    story.show(Self.writtenAlert)
    story.strike("2")
    story.strike("K")
    story.happen(.resized(Size(width: 90, height: 30)))
    #expect(story.desk.form?.lifetime == .once)
    story.press(.escape)
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.lifetime == .once)
  }

  @Test("K says why it keeps nothing, if that is not because it was seldom allowed")
  func keepRefused() {
    var story = Story()
    story.show(
      Samples.valueAlert(
        [Samples.commandAtom("sh -c x")], Capability.value("commands"), Samples.claudeSubject, Samples.claude,
        at: Samples.today(14, 3, 5),
        covers: [CoverOffer(nil, words: "", longest: .once, limitReason: "it is open")],
        AnswerHistory()))
    story.strike("K")
    #expect(story.desk.form?.hint == "This key is off: it is open.")
  }

  @Test("A lifetime that is too long is not said to take a word, and the way out is not cut")
  func tooLong() {
    var story = Story()
    story.show(Self.writtenAlert)
    story.strike("5")
    let words = story.grid.picture.text
    #expect(!words.contains("Type runs"))
    #expect(words.contains("can be allowed until logout at most."))
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains("Press 3, the longest for an allow: claude may write what it runs."))
  }

  @Test("The key bar names the keys that count now, right after a lifetime that takes a word was chosen")
  func keyBar() {
    for height in [24, 40] {
      var story = Story(height: height)
      story.present(Samples.oftenAlert)
      story.wait(200)
      #expect(height == 24 || !story.grid.picture.contains("Space more"), "all is on the page")
      story.wait(1_000)
      for _ in 0..<5 where story.desk.form?.hasShownAll == false { story.strike(.character(" ")) }
      story.strike("6")
      #expect(story.grid.picture.contains("a allow, type forever"))
    }
  }

  @Test("K answers nothing before all was read, and leaves the chosen lifetime as it is")
  func keepUnread() {
    var story = Story(width: 60, height: 15)
    story.show(Samples.oftenAlert)
    story.strike("i", "K")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.lifetime == .once)
    #expect(story.desk.form?.hint != nil)
  }

  @Test("A severe request takes a typed word, and a wrong one does not stay")
  func typedWord() {
    var story = Story()
    story.show(Samples.alert(severity: .severe))
    story.strike("a")
    #expect(story.grid.picture.contains("Type photos to go on:"))
    story.type("phtoos")
    story.press(.enter)
    story.wait(300)
    #expect(story.grid.picture.contains("That is not the word."))
    #expect(story.desk.form?.typedWord.isEmpty == true)
    story.type("photos")
    story.press(.enter)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(250)
    #expect(story.takeEffects().deeds == [allowed(to: Samples.alert(severity: .severe))])
  }

  @Test("A word that comes in one piece does not count, which is said, however it comes")
  func pastedWord() {
    var story = Story()
    story.show(Samples.alert(severity: .severe))
    story.strike("a")
    let ways: [(inout Story) -> Void] = [
      { $0.happen(.paste("photos")) },
      { $0.happen(.keys("photos".map { .character($0) })) },
      { $0.happen(.keys("photos".map { .character($0) } + [.enter])) },
      { story in
        for character in "photos" {
          story.wait(2)
          story.happen(.keys([.character(character)]))
        }
      },
    ]
    for way in ways {
      story.wait(1_000)
      way(&story)
      story.wait(1_000)
      story.press(.enter)
      story.wait(300)
      #expect(story.takeEffects().deeds.isEmpty)
      #expect(story.desk.form?.typedWord.isEmpty == true)
    }
    story.happen(.paste("photos"))
    #expect(story.grid.picture.contains("The word arrived all at once"))
    story.wait(1_000)
    story.type("photos")
    story.press(.enter)
    story.wait(250)
    #expect(story.takeEffects().deeds == [allowed(to: Samples.alert(severity: .severe))])
  }

  @Test("A choice that is off stays visible with its reason, and cannot be chosen")
  func disabledChoice() {
    guard case .request(var content) = alert.content else {
      Issue.record("no request: \(alert.content)")
      return
    }
    content.lifetimes[1].disabledReason = "the process cannot be read"
    let changed = Alert(id: alert.id, content: .request(content))
    var story = Story()
    story.show(changed)
    #expect(story.grid.picture.contains("2: the process cannot be read"))
    story.strike("2", "a")
    #expect(story.takeEffects().deeds == [allowed(to: changed)])
  }

  // MARK: - Other alerts

  @Test("A confirmation starts on Cancel, and is confirmed by y or by moving there")
  func confirmation() {
    var story = Story()
    story.show(Samples.confirmation)
    story.strike(.enter)
    #expect(
      story.takeEffects().deeds == [.respond(Samples.confirmation.id, .refused, Samples.confirmation.digest)])
    story.show(Samples.confirmation)
    story.strike(.tab, .enter)
    #expect(
      story.takeEffects().deeds == [
        .respond(Samples.confirmation.id, .confirmed, Samples.confirmation.digest)
      ])
    story.show(Samples.confirmation)
    story.strike("y")
    #expect(
      story.takeEffects().deeds == [
        .respond(Samples.confirmation.id, .confirmed, Samples.confirmation.digest)
      ])
  }

  @Test("A notice is closed once it could be read; before, Enter does nothing and Esc sets it aside")
  func notice() {
    var story = Story()
    story.present(Samples.notice)
    story.wait(500)
    story.press(.enter)
    story.wait(250)
    #expect(story.takeEffects().deeds == [])
    story.press(.escape)
    #expect(story.takeEffects().deeds == [.respond(Samples.notice.id, .setAside, Samples.notice.digest)])
    story.show(Samples.notice)
    story.press(.escape)
    #expect(story.takeEffects().deeds == [.respond(Samples.notice.id, .acknowledged, Samples.notice.digest)])
    story.present(Samples.notice)
    story.wait(800)
    story.happen(.keys([.enter]))
    story.wait(250)
    #expect(story.takeEffects().deeds == [.respond(Samples.notice.id, .acknowledged, Samples.notice.digest)])
  }
}
