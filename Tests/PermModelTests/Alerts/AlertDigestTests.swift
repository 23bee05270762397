import Testing

@testable import PermModel

@Suite("Digests of what was shown")
struct AlertDigestTests {
  @Test(
    "SHA-256 gives the digests that NIST publishes",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func vectors(message: String, digest: String) {
    #expect(SHA256.digest(of: Array(message.utf8)).map { hex($0) }.joined() == digest)
  }

  private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  @Test("Messages of every length around a block have digests of their own")
  func lengths() {
    let digests = (0...200).map { SHA256.digest(of: [UInt8](repeating: 7, count: $0)) }
    #expect(Set(digests).count == digests.count)
  }

  private static let evidence = Evidence(
    process: ProcessIdentity(pid: 4711, startTime: 7), program: "/bin/b", interpreter: "bash",
    chain: ["tmux", "bash"],
    terminal: "pts/3", workingDirectory: "/home/ana")

  private static func alert(
    id: String = "r", subject: Subject = Subject(label: "backup", path: "/bin/b"),
    capability: String = "photos",
    atoms: Set<Atom> = [Atom("photos", "read")], reason: String? = "weekly", suggested: LifetimeChoice? = nil,
    evidence: Evidence? = AlertDigestTests.evidence, asked: Int64 = 0, gives: Timestamp? = nil,
    change: (inout RequestAlert) -> Void = { _ in }
  ) -> Alert {
    let request = Request(
      id: Request.ID(id), subject: subject, capability: capability, atoms: atoms, reason: reason,
      suggestedLifetime: suggested, askedAt: Timestamp(microseconds: asked), givesUpAt: gives,
      evidence: evidence)
    var content = RequestAlert(
      request: request, title: "Photos", action: "read your photos", explanation: "All 3 files.",
      severity: .mild,
      choices: [RequirementChoice(atoms: atoms, title: "read")], identity: .firstTime,
      lifetimes: [LifetimeOffer(.once), LifetimeOffer(.forever)], definition: "All files.")
    change(&content)
    return Alert(id: Alert.ID(id), content: .request(content))
  }

  private static func seen(_ change: (inout Evidence) -> Void) -> Evidence {
    var evidence = evidence
    change(&evidence)
    return evidence
  }

  /// Returns an alert about a path that was reached through a link.
  private static func linked(written: String?) -> Alert {
    alert { content in
      let scope = content.request.atoms.first?.scope ?? .any
      var facts = ValueFacts()
      facts.paths = [PathFact(scope: scope, spelling: scope, written: written)]
      content.request = content.request.asking(content.request.atoms, facts)
    }
  }

  @Test("Every change of what an answer depends on is another digest")
  func differences() {
    let alerts = [
      Self.alert(), Self.alert(id: "s"), Self.alert(subject: Subject(label: "b4ckup", path: "/bin/b")),
      Self.alert(subject: Subject(label: "backup", path: "/bin/c")),
      Self.alert(subject: Subject(label: "backup", path: "/bin/b", file: FileIdentity(inode: 1, birth: 1))),
      Self.alert(subject: Subject(label: "backup", path: "/bin/b", file: nil, sandbox: .unknown)),
      Self.alert(capability: "photo"), Self.alert(atoms: [Atom("photos", "limited")]),
      Self.alert(atoms: [Atom("photos", "read"), Atom("photos", "limited")]), Self.alert(reason: nil),
      Self.alert(reason: ""), Self.alert(reason: "weekly "), Self.alert(suggested: .forever),
      Self.alert(suggested: .duration(.seconds(1))), Self.alert(suggested: .until(Timestamp(seconds: 1))),
      Self.alert(evidence: nil), Self.alert(evidence: Self.seen { $0.process.pid = 1 }),
      Self.alert(evidence: Self.seen { $0.process.startTime = 1 }),
      Self.alert(evidence: Self.seen { $0.program = "/x" }),
      Self.alert(evidence: Self.seen { $0.interpreter = nil }),
      Self.alert(evidence: Self.seen { $0.chain = ["tmux bash"] }),
      Self.alert(evidence: Self.seen { $0.terminal = "pts/4" }),
      Self.alert(evidence: Self.seen { $0.workingDirectory = "/tmp" }),
      Self.alert(evidence: Self.seen { $0.doubt = "it hides" }), Self.alert { $0.title = "Photo" },
      Self.alert { $0.action = "x" }, Self.alert { $0.definition = "Some files." },
      Self.alert { $0.severity = .severe },
      Self.alert { $0.identity = .mismatch(seenBefore: "/bin/a") },
      Self.alert { $0.identity = .mismatch(seenBefore: "/bin/c") }, Self.alert { $0.identity = .asSeen },
      Self.linked(written: nil), Self.linked(written: "/a/../b"), Self.linked(written: "/a/../c"),
      Self.alert { $0.choices[0].title = "all" }, Self.alert { $0.lifetimes.removeLast() },
      Self.alert { $0.lifetimes[1].disabledReason = "no" },
      Self.alert { $0.restingAllow = "" }, Self.alert { $0.restingAllow = "this was allowed, but it rests" },
      Self.alert { $0.joined = [JoinedRequest(id: Request.ID("s"))] },
      Self.alert {
        $0.joined = [JoinedRequest(id: Request.ID("s"), process: ProcessIdentity(pid: 1, startTime: 1))]
      },
    ]
    #expect(Set(alerts.map(\.digest)).count == alerts.count)
  }

  @Test(
    "Moments, a probe's count and earlier answers are shown beside the question, and are not a part of it"
  )
  func sameQuestion() {
    let digest = Self.alert().digest
    #expect(Self.alert(asked: 5, gives: Timestamp(seconds: 9)).digest == digest)
    #expect(Self.alert { $0.explanation = "All 4 files." }.digest == digest)
    #expect(Self.alert { $0.history = AnswerHistory(allowed: 3) }.digest == digest)
    #expect(Self.alert { $0.history.today = 4 }.digest == digest)
    #expect(Self.alert { $0.reach = AnswerReach(allow: 3, deny: 1) }.digest == digest)
    #expect(Self.alert { $0.covers[0].reach = AnswerReach(allow: 3, deny: 1) }.digest == digest)
  }

  @Test("Fields never run into each other")
  func boundaries() {
    let alerts = [
      Self.alert { ($0.title, $0.action) = ("ab", "c") }, Self.alert { ($0.title, $0.action) = ("a", "bc") },
      Self.alert { ($0.title, $0.action) = ("", "abc") },
    ]
    #expect(Set(alerts.map(\.digest)).count == alerts.count)
  }

  @Test("A digest is written as 64 hexadecimal digits, and read back from them only")
  func text() {
    let digest = Self.alert().digest
    #expect(digest.description.count == 64)
    #expect(AlertDigest(digest.description) == digest)
    for wrong in [
      "", "0", String(repeating: "g", count: 64), digest.description + "0",
      " " + digest.description.dropLast(),
    ] {
      #expect(AlertDigest(wrong) == nil)
    }
  }

  @Test("Requests share an alert if it would show the same but for processes and moments")
  func key() {
    func key(_ alert: Alert) -> AlertKey? {
      if case .request(let content) = alert.content { AlertKey(content.request) } else { nil }
    }
    let same = [
      Self.alert(), Self.alert(id: "s"), Self.alert(asked: 9), Self.alert(gives: Timestamp(seconds: 1)),
      Self.alert(evidence: Self.seen { $0.process = ProcessIdentity(pid: 1, startTime: 1) }),
    ]
    #expect(Set(same.map(key)).count == 1)
    let others = [
      Self.alert(), Self.alert(reason: nil), Self.alert(suggested: .forever), Self.alert(evidence: nil),
      Self.alert(evidence: Self.seen { $0.workingDirectory = "/tmp" }),
      Self.alert(evidence: Self.seen { $0.doubt = "it hides" }),
      Self.alert(atoms: [Atom("photos", "limited")]),
      Self.alert(subject: Subject(label: "backup", path: "/bin/b", file: nil, sandbox: .unknown)),
      Self.alert(evidence: Self.seen { $0.chain = [] }),
    ]
    #expect(Set(others.map(key)).count == others.count)
  }
}
