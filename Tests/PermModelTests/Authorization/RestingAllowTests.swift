import PermModelTesting
import Testing

@testable import PermModel

@Suite("An alert about what an earlier allow covers without an effect")
struct RestingAllowTests {
  private func alert(
    _ line: String, allowed scope: Scope, _ change: (inout ValueFacts) -> Void
  ) throws -> RequestAlert {
    let atom = Atom("commands", "run", .command(line))
    let definition = try #require(CapabilityCatalogue.builtIn["commands"]?.definition)
    var facts = ValueFacts()
    change(&facts)
    let request = Request(
      id: Request.ID("asks"), subject: CoverOffersTests.agent, capability: "commands", atoms: [atom],
      askedAt: Timestamp(seconds: 0), facts: facts)
    let kept = Decision(
      subject: request.subject, atom: Atom("commands", "run", scope), verdict: .allow, lifetime: .forever,
      origin: .commandLine, decidedAt: Timestamp(seconds: -9))
    var standing = DecisionsInForce()
    standing.decisions = [kept.atom: kept]
    let judgement = Judge(of: request.subject, definition, under: .none)
      .judgement(on: [atom], standing, request.facts)
    return try RequestAlertMaker(request, definition).alert(
      asking: judgement.open, judgement.decided, in: MemoryStore(environment: FixedEnvironment().environment))
  }

  private func texts(_ alert: RequestAlert, under heading: String) -> [String] {
    RequestFacts(alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil).all
      .filter { $0.heading == heading }.map(\.text)
  }

  @Test("says why that does not count, whatever is in the way")
  func reasons() throws {
    let written = try alert("npm test", allowed: .command("npm test")) { $0.writer = "claude" }
    #expect(
      texts(written, under: "Kept")
        == ["this was allowed, but it rests while claude may write in this folder"])
    let form = try alert("make test", allowed: .form("make")) { $0.writer = "claude" }
    #expect(
      texts(form, under: "Kept")
        == ["make … was allowed, but it rests while claude may write in this folder"])
    let elsewhere = try alert("ls -la", allowed: .command("ls -la")) { $0.isElsewhere = true }
    #expect(texts(elsewhere, under: "Kept") == ["this was allowed, but this is asked about each time"])
    let once = try alert("ls -la", allowed: .command("ls -la")) { $0.onceReason = "it says so" }
    #expect(
      texts(once, under: "Kept")
        == ["this was allowed, but this is asked about each time, because it says so"])
  }

  @Test("gives the reason against a form once")
  func forms() throws {
    let alert = try alert("git log", allowed: .form("git log")) { $0.formsReason = "git would run a hook" }
    #expect(
      texts(alert, under: "Kept")
        == [
          "git log … was allowed, but the conditions of that form do not hold here, because git would run a hook"
        ])
    #expect(texts(alert, under: "").isEmpty)
  }

  @Test("says nothing if no allow is in question, and is another alert if one is")
  func nothing() throws {
    let other = try alert("npm test", allowed: .command("ls")) { $0.writer = "claude" }
    #expect(other.restingAllow == nil && texts(other, under: "Kept").isEmpty)
    let kept = try alert("npm test", allowed: .command("npm test")) { $0.writer = "claude" }
    func digest(_ alert: RequestAlert) -> AlertDigest {
      AlertDigest(Alert(id: Alert.ID("a"), content: .request(alert)))
    }
    #expect(digest(kept) != digest(other))
  }
}
