import Testing

@testable import PermModel

@Suite("The word that an answer takes")
struct AnswerSeverityTests {
  private static let run = Atom("commands", "run", .command("git status"))

  private func word(
    _ asked: Atom, allowing answered: Atom? = nil, for lifetime: LifetimeChoice = .once,
    _ severity: Severity = .severe
  ) -> String? {
    let request = Request(
      id: Request.ID("1"), subject: Subject(label: "claude"), capability: asked.capability, atoms: [asked],
      askedAt: Timestamp(seconds: 0))
    return request.typedWord(severity, for: [answered ?? asked], lifetime: lifetime)
  }

  @Test("is not needed for exactly what is asked, for this request or as long as the process runs")
  func exact() {
    #expect(word(Self.run) == nil)
    #expect(word(Self.run, for: .process) == nil)
    #expect(word(Atom("keys", "use", .name("SHA256:x"))) == nil)
  }

  @Test(
    "is needed if the allow is kept longer",
    arguments: [LifetimeChoice.session, .duration(.seconds(600)), .forever])
  func longer(lifetime: LifetimeChoice) { #expect(word(Self.run, for: lifetime) == "commands") }

  @Test("is needed if the allow covers more, or if everything is asked for")
  func wider() {
    #expect(word(Self.run, allowing: Atom("commands", "run", .form("git status"))) == "commands")
    #expect(word(Atom("commands", "run", .any)) == "commands")
  }

  @Test("is always needed for other severe parts, and never for what is not severe")
  func others() {
    #expect(word(Atom("deploy")) == "deploy")
    #expect(word(Atom("files", "write", .name("x"))) == "files")
    #expect(word(Self.run, for: .forever, .moderate) == nil)
  }

  @Test("A lifetime lies within another one only if it certainly ends first")
  func lifetimes() {
    #expect(LifetimeChoice.process.isWithin(.session))
    #expect(!LifetimeChoice.duration(.seconds(1)).isWithin(.session))
    #expect(!LifetimeChoice.duration(.seconds(11)).isWithin(.duration(.seconds(10))))
    #expect(LifetimeChoice.session.isWithin(.forever))
  }
}
