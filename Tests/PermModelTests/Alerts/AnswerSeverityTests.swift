import Testing

@testable import PermModel

@Suite("The word that an answer takes")
struct AnswerSeverityTests {
  private func word(
    _ answered: Atom, for lifetime: LifetimeChoice = .session, _ severity: Severity = .severe,
    writer: String? = nil, proxied: Set<String>? = nil
  ) -> TypedWord? {
    var facts = ValueFacts()
    (facts.writer, facts.proxied) = (writer, proxied)
    return TypedWord(
      allowing: [answered], of: answered.capability, severity, for: lifetime, ProtectedNamesTests.names, facts
    )
  }

  private func line(_ text: String) -> Atom { Atom("commands", "run", .command(text)) }

  @Test("is not needed for this request, and not for a harmless line until log-out or for eight hours")
  func brief() {
    for text in ["git status", "rm -r a", "git push", "make"] { #expect(word(line(text), for: .once) == nil) }
    for lifetime in [LifetimeChoice.process, .session, .duration(.seconds(8 * 3600))] {
      #expect(word(line("git status"), for: lifetime) == nil)
      #expect(word(Atom("keys", "use", .name("SHA256:x")), for: lifetime) == nil)
    }
    #expect(word(line("git status"), for: .forever)?.text == "forever")
  }

  @Test(
    "is that of the thing if a line that is kept deletes, sends or escalates",
    arguments: [
      ("rm -rf dist", "rm", "deletes files"), ("git push origin main", "push", "sends commits"),
      ("sudo make", "sudo", "more rights"), ("a && git -C x reset --hard", "reset", "throw away"),
      ("npm publish", "publish", "publishes"), ("curl -s http://a/", "curl", "another machine"),
      ("find . -delete", "-delete", "deletes files"), ("echo $(rm a)", "rm", "deletes files"),
    ])
  func harm(text: String, expected: String, consequence: String) {
    let found = word(line(text))
    #expect(found?.text == expected)
    #expect(found?.consequence.contains(consequence) == true)
    #expect(word(line(text), for: .once) == nil)
  }

  @Test("is not needed for what is certainly sent to this machine only")
  func here() {
    for text in [
      "curl http://localhost:9000/health", "curl -s -X POST -d a=b 127.0.0.1:8080",
      "curl http://[::1]/ | jq .x",
    ] {
      #expect(word(line(text)) == nil, "\(text)")
      #expect(Dangers(in: text, project: nil).words.isEmpty, "\(text)")
    }
    for text in [
      "curl http://localhost.example.org/", "curl http://localhost@example.org/",
      "curl http://localhost:9@a/",
      "curl localhost a.example", "curl -x proxy.example http://localhost/", "curl http://localhost/$X",
      "curl http://localhost/ && curl http://a/", "curl -K f http://localhost/", "curl -L http://localhost/",
      "curl",
      "curl http://localhost:$P/", "wget http://localhost/",
    ] {
      #expect(word(line(text))?.text.isEmpty == false, "\(text)")
    }
  }

  @Test("is needed for what goes to this machine if a proxy gets to see it")
  func proxied() {
    let address = line("curl -s http://localhost:3000/")
    #expect(word(address, proxied: ["localhost"])?.text == "curl")
    #expect(word(address, proxied: ["127.0.0.1", "[::1]"]) == nil)
    let text = "curl -s http://localhost:3000/"
    #expect(Dangers(in: text, project: nil, proxied: ["localhost"]).words == ["curl"])
    for (variables, expected) in [
      ([:], []), (["HTTPS_PROXY": ""], []), (["PATH": "/bin"], []),
      (["http_proxy": "http://proxy:8080"], ["localhost", "127.0.0.1", "[::1]"]),
      (["ALL_PROXY": "socks5://proxy", "no_proxy": "localhost, 127.0.0.1"], ["[::1]"]),
      (["https_proxy": "p", "NO_PROXY": "*"], []),
      (["http_proxy": "p", "no_proxy": ".localhost,::1"], ["127.0.0.1"]),
      (["http_proxy": "p", "no_proxy": "", "NO_PROXY": "*"], ["localhost", "127.0.0.1", "[::1]"]),
    ] as [([String: String], Set<String>)] {
      #expect(FormVariables(variables: variables).proxied == expected, "\(variables)")
    }
  }

  @Test("is needed for forms that run the project's files, for lines with holes, and for everything")
  func scopes() throws {
    #expect(word(Atom("commands", "run", .form("make")))?.text == "runs")
    #expect(word(Atom("commands", "run", .form("git push")))?.text == "push")
    #expect(word(Atom("commands", "run", .form("git status"))) == nil)
    #expect(word(Atom("commands", "run", .lines(try HoledLine("head -n {number} {file}"))))?.text == "head")
    #expect(word(Atom("commands", "run", .lines(try HoledLine("pytest {file}"))))?.text == "runs")
    #expect(word(Atom("commands", "run", .any), for: .once)?.text == "commands")
  }

  @Test("is runs for a line that runs what another program may write")
  func writer() {
    let found = word(line("npm test"), writer: "claude")
    #expect(found?.text == "runs")
    #expect(found?.consequence == "claude may write in this folder, and so choose what it runs")
    #expect(word(line("npm test")) == nil)
    #expect(word(line("ls"), writer: "claude") == nil)
  }

  @Test("is always needed for protected names and for other severe parts, and never for what is not severe")
  func others() throws {
    let hook = Atom("files", "write", .path(try AbsolutePath("/x/.git/hooks/pre-commit")))
    #expect(
      word(hook, for: .once, .moderate)
        == TypedWord(text: "hooks", consequence: "git runs this file, at every commit for example"))
    let envrc = Atom("files", "write", .path(try AbsolutePath("/x/.envrc")))
    #expect(word(envrc, for: .once, .moderate)?.text == "envrc")
    #expect(word(Atom("deploy"), for: .once)?.text == "deploy")
    #expect(word(line("git status"), for: .forever, .moderate) == nil)
  }

  @Test("A lifetime lies within another one only if it certainly ends first")
  func lifetimes() {
    #expect(LifetimeChoice.process.isWithin(.session))
    #expect(!LifetimeChoice.duration(.seconds(1)).isWithin(.session))
    #expect(!LifetimeChoice.duration(.seconds(11)).isWithin(.duration(.seconds(10))))
    #expect(LifetimeChoice.session.isWithin(.forever))
  }
}
