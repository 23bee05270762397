import Glibc
import Machine
import Synchronization
import Testing

@testable import PermModel

@Suite("Alerts on a plain terminal", .timeLimit(.minutes(5)))
struct PlainAlertTests {
  static func request(
    reason: String? = "weekly copy", suggested: LifetimeChoice? = nil, identity: IdentityCheck = .inProcess,
    severity: Severity = .moderate
  ) -> Alert {
    let definition = Capability.Photos.definition
    let request = Request(
      id: Request.ID("1"), subject: Subject(label: "back\u{202e}up"), capability: "photos",
      atoms: [Atom("photos", "read")], reason: reason, suggestedLifetime: suggested,
      askedAt: Timestamp(seconds: 0))
    let content = RequestAlert(
      request: request, title: "Photos", action: "read your photos",
      explanation: "All 1 204 files in ~/Pictures.", severity: severity,
      choices: definition.choices(for: request.atoms),
      history: AnswerHistory(allowed: 3), identity: identity, lifetimes: LifetimeOffer.all(for: identity))
    return Alert(id: Alert.ID("1"), content: .request(content))
  }

  @Test("A request says the same facts in a fixed order, foreign text escaped")
  func lines() {
    #expect(
      PlainAlert(Self.request(), isInDashboard: true).lines == [
        "\"back\\u{202e}up\" asks to read your photos.",
        "What: Photos: read. All 1 204 files in ~/Pictures.",
        "Reason: \"weekly copy\"",
        "Name: \"back\\u{202e}up\", in this process",
        "Before: allowed 3 times, never denied",
        "Keep for 1: this request",
        "Keep for 2: until the program ends",
        "Keep for 3: until logout",
        "Keep for 4: ten minutes",
        "Keep for 5: eight hours",
        "Keep for 6: forever",
        "Only 1: read",
        "Only 2: limited",
        "Stores: for this request, only a journal line; for longer, the answer, and nothing asks until it ends.",
        "Undo: the word undo takes a kept answer back, but not what a program did meanwhile.",
        "Type allow, deny, later or mute. allow 2 keeps the answer as in line 2. only 2 narrows it. note TEXT adds a note. help explains the words.",
      ])
  }

  @Test("The program's suggestion stands among the facts, and is not chosen")
  func suggestion() {
    var alert = PlainAlert(Self.request(suggested: .duration(.seconds(5400))), isInDashboard: true)
    #expect(alert.lines[4] == "Suggests: keeping the answer for 90 minutes")
    #expect(alert.take("allow") == .response(.answered(Answer(.allow, atoms: [Atom("photos", "read")]))))
  }

  @Test(
    "A typed word answers, and nothing else does",
    arguments: [
      ("allow", .response(.answered(Answer(.allow, atoms: [Atom("photos", "read")])))),
      ("  deny  ", .response(.answered(Answer(.deny, atoms: [Atom("photos", "read")])))),
      ("allow 6", .response(.answered(Answer(.allow, atoms: [Atom("photos", "read")], lifetime: .forever)))),
      ("later", .response(.setAside)),
      ("", .again),
      (
        "later 2",
        .refused(
          "Type allow, deny, later or mute. allow 2 keeps the answer as in line 2. only 2 narrows it. note TEXT adds a note. help explains the words. An empty line shows the request again."
        )
      ),
      ("mute", .response(.answered(Answer(.deny, atoms: [Atom("photos", "read")], mutes: true)))),
      ("allow 7", .refused("There is no line 7 under \"Keep for\".")),
      ("allow forever", .refused("There is no line forever under \"Keep for\".")),
      ("allow me now", .refused("One word and a number at most: allow 2.")),
      ("only 3", .refused("only takes a number from 1 to 2.")),
    ] as [(String, PlainAlert.Reply)])
  func replies(line: String, reply: PlainAlert.Reply) {
    var alert = PlainAlert(Self.request(), isInDashboard: true)
    #expect(alert.take(line) == reply)
  }

  @Test("A narrowed request is answered for less, and says so")
  func narrowing() {
    var alert = PlainAlert(Self.request(), isInDashboard: true)
    #expect(alert.take("only 2") == .again)
    #expect(alert.lines[1...2] == ["What: Photos: limited.", "You allow only: read."])
    #expect(alert.take("deny") == .response(.answered(Answer(.deny, atoms: [Atom("photos", "read")]))))
    #expect(alert.take("allow") == .response(.answered(Answer(.allow, atoms: [Atom("photos", "limited")]))))
  }

  @Test("A request that can do great harm is allowed by its word only, and denied without")
  func severe() throws {
    var alert = PlainAlert(Self.request(severity: .severe), isInDashboard: true)
    #expect(alert.lines.contains("Careful: A wrong yes does great harm. Type photos to allow it."))
    #expect(alert.take("allow") == .refused("Allowing this takes its word: allow photos."))
    #expect(alert.take("allow 6") == .refused("Allowing this takes its word: allow photos."))
    let forever = Answer(.allow, atoms: [Atom("photos", "read")], lifetime: .forever)
    #expect(alert.take("allow photos 6") == .response(.answered(forever)))
    #expect(alert.take("allow 6 photos") == .response(.answered(forever)))
    #expect(alert.take("deny") == .response(.answered(Answer(.deny, atoms: [Atom("photos", "read")]))))
  }

  @Test("A note goes with the answer, and is shown with the request")
  func note() {
    var alert = PlainAlert(Self.request(), isInDashboard: true)
    #expect(alert.take("note  not on a weekday ") == .again)
    #expect(alert.lines.contains("Note: \"not on a weekday\""))
    let answer = Answer(.deny, atoms: [Atom("photos", "read")], note: "not on a weekday")
    #expect(alert.take("deny") == .response(.answered(answer)))
    #expect(alert.take("note") == .again)
    #expect(!alert.lines.contains { $0.hasPrefix("Note") })
  }

  @Test("On a program's own terminal there is nothing to set aside or to mute", arguments: ["later", "mute"])
  func ownTerminal(word: String) {
    var alert = PlainAlert(Self.request(), isInDashboard: false)
    guard case .refused = alert.take(word) else { return #expect(Bool(false), "\(word) was taken") }
  }

  @Test("No answer is kept for a program that cannot be told from others")
  func unknownProgram() {
    var alert = PlainAlert(Self.request(identity: .unknown), isInDashboard: true)
    #expect(alert.take("allow 6") == .refused("It is off: it is not known which program asks."))
    #expect(alert.take("allow") == .response(.answered(Answer(.allow, atoms: [Atom("photos", "read")]))))
  }

  @Test("A confirmation with a typed word takes that word only")
  func confirmation() {
    let confirmation = Confirmation(title: "Delete 12 albums?", action: "Delete", typedWord: "albums")
    var alert = PlainAlert(
      Alert(id: Alert.ID("1"), content: .confirmation(confirmation)), isInDashboard: false)
    #expect(alert.take("confirm") == .refused("To delete: type albums. Else type cancel."))
    #expect(alert.take("albums") == .response(.confirmed))
    #expect(alert.take("cancel") == .response(.refused))
  }

  @Test("If no answer can be kept, the command that keeps one is named instead, and no lifetime is taken")
  func keepCommand() throws {
    guard case .request(var content) = Self.request().content else {
      Issue.record("no request")
      return
    }
    content.lifetimes = [LifetimeOffer(.once)]
    content.keepCommand = "permtui allow backup photos"
    var alert = PlainAlert(Alert(id: Alert.ID("1"), content: .request(content)), isInDashboard: false)
    #expect(
      alert.lines.contains("Stores: only a journal line. To keep an answer: permtui allow backup photos"))
    #expect(!alert.lines.contains { $0.hasPrefix("Keep for") })
    guard case .refused = alert.take("allow 2") else {
      Issue.record("a lifetime was taken")
      return
    }
  }

  @Test("On a pair of pipes a line answers, and the end of input allows nothing")
  func pipes() async throws {
    let pipes = try Pipes()
    let presenter = LinePresenter(LineTerminal(input: pipes.input, output: pipes.output))
    async let first = presenter.present(Self.request())
    await pipes.wait(for: "Type allow or deny.")
    pipes.type("maybe\n")
    await pipes.wait(for: "An empty line shows the request again.")
    await pipes.wait(for: "Type the answer again.")
    pipes.type("allow\n")
    #expect(try await first == .answered(Answer(.allow, atoms: [Atom("photos", "read")])))
    pipes.endInput()
    #expect(try await presenter.present(Self.request()) == .dismissed)
  }

  @Test("A long text cannot paint a line that looks like another fact")
  func forgedFact() async throws {
    let pipes = try Pipes()
    let presenter = LinePresenter(LineTerminal(input: pipes.input, output: pipes.output))
    // On a terminal of 72 columns, the forged fact would begin a line.
    let reason = String(repeating: "x", count: 62) + " Name: \"root\", as seen"
    async let response = presenter.present(Self.request(reason: reason))
    let written = await pipes.wait(for: "Type allow or deny.")
    let facts = written.split(separator: "\n").flatMap { line in
      stride(from: 0, to: line.count, by: 72).map { line.dropFirst($0) }
    }.filter { $0.hasPrefix("Name: ") }
    #expect(facts == ["Name: \"back\\u{202e}up\", in this process"])
    pipes.endInput()
    #expect(try await response == .dismissed)
  }

  @Test("Of what comes together, and before the request can be read, nothing counts")
  func together() async throws {
    let pipes = try Pipes()
    let presenter = LinePresenter(LineTerminal(input: pipes.input, output: pipes.output))
    pipes.type("allow\n")
    async let response = presenter.present(Self.request())
    await pipes.wait(for: "Ignored: anything typed before this line.")
    pipes.type("allow\nallow\n")
    await pipes.wait(for: "Ignored: more input followed immediately.")
    await pipes.wait(for: "Type the answer again.")
    pipes.type("allow\nal")
    await pipes.wait(for: "Ignored: more input followed immediately.")
    await pipes.wait(for: "Type the answer again.")
    pipes.type("low\n")
    #expect(try await response == .answered(Answer(.allow, atoms: [Atom("photos", "read")])))
  }

  @Test("A request that is withdrawn while it is asked is dismissed at once, and the next one can be asked")
  func withdrawn() async throws {
    let pipes = try Pipes()
    let presenter = LinePresenter(LineTerminal(input: pipes.input, output: pipes.output))
    let asking = Task { try await presenter.present(Self.request()) }
    await pipes.wait(for: "asks to")
    await #expect(throws: AlertPresenterError.busy(showing: Alert.ID("1"))) {
      try await presenter.present(Self.request())
    }
    asking.cancel()
    #expect(try await asking.value == .dismissed)
    // On a busy machine the first alert may have said how to answer, too.
    await pipes.wait(for: "This is over")
    async let next = presenter.present(Self.request())
    await pipes.wait(for: "Type allow or deny.")
    pipes.type("deny\n")
    #expect(try await next == .answered(Answer(.deny, atoms: [Atom("photos", "read")])))
  }

  @Test("Without a device there is no terminal")
  func noTerminal() {
    #expect(LineTerminal(path: "/nonexistent/tty") == nil)
  }
}

/// The pipes that a presenter reads from and writes to, with their other ends.
private final class Pipes: Sendable {
  let input: Int32
  let output: Int32
  private let typing: Mutex<Int32>
  private let reading: Int32

  init() throws {
    var first: [Int32] = [-1, -1]
    var second: [Int32] = [-1, -1]
    try #require(pipe(&first) == 0 && pipe(&second) == 0)
    // A program of another test that inherited them would keep them open.
    for end in first + second { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input = first[0]
    typing = Mutex(first[1])
    (reading, output) = (second[0], second[1])
  }

  deinit {
    endInput()
    for file in [input, output, reading] { close(file) }
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(typing.withLock { $0 }, bytes, bytes.count)
  }

  func endInput() {
    typing.withLock { typing in
      if typing >= 0 { close(typing) }
      typing = -1
    }
  }

  /// Waits until a text was written after the last one that was waited for. Returns all that was written since then.
  @discardableResult
  func wait(for text: String) async -> String {
    await withCheckedContinuation { continuation in
      _ = BlockingThread.start { continuation.resume(returning: self.read(upTo: text)) }
    }
  }

  private func read(upTo text: String) -> String {
    var byte: UInt8 = 0
    var found: [UInt8] = []
    let wanted = Array(text.utf8)
    while found.suffix(wanted.count) != wanted[...], Glibc.read(reading, &byte, 1) == 1 { found.append(byte) }
    return String(decoding: found, as: UTF8.self)
  }
}
