import PermModel
import Testing

@Suite("The judgement on a request")
struct JudgementTests {
  private let photos = Capability.Photos.definition
  private let program = Subject(label: "backup", path: "/usr/bin/backup")

  private func decision(_ verdict: Verdict, _ atom: Atom, for subject: Subject? = nil) -> Decision {
    Decision(
      subject: subject ?? program, atom: atom, verdict: verdict, lifetime: .forever, origin: .commandLine,
      decidedAt: Timestamp(seconds: 1))
  }

  private func judgement(
    _ decisions: [Decision], asking part: String, under policy: MachinePolicy = .none, isMuted: Bool = false
  ) -> Judgement {
    let pairs = decisions.map { ($0.atom, $0) }
    let mute = isMuted ? decision(.deny, Atom.everything) : nil
    return Judge(of: program, photos, under: policy).judgement(
      on: [Atom("photos", part)],
      DecisionsInForce(decisions: Dictionary(uniqueKeysWithValues: pairs), mute: mute))
  }

  @Test("The policy is the reason for a denial, whatever the person allowed and wrote")
  func refusalByPolicy() {
    let forbidden = MachinePolicy([.init(capability: "photos")])
    let judged = judgement(
      [decision(.allow, Atom("photos", "add-only"))], asking: "read", under: forbidden)
    #expect(judged.refusal(note: "not today") == "forbidden by the machine's policy")
    #expect(judged.open.isEmpty && !judged.isAllowed)
    #expect(judged.use.decisions.isEmpty)
  }

  @Test("The allowed parts that a denial names are those that the policy leaves")
  func restOfPolicy() {
    let forbidden = MachinePolicy([.init(capability: "photos", parts: ["add-only"])])
    let judged = judgement(
      [decision(.allow, Atom("photos", "add-only"))], asking: "limited", under: forbidden)
    #expect(judged.refusal(note: nil)?.contains("add-only is allowed") != true)
  }

  @Test("A request of a muted program is not open to a person, and ends denied while it waits")
  func muted() throws {
    let judged = judgement([], asking: "read", isMuted: true)
    #expect(!judged.open.isEmpty && !judged.asks)
    let end = try #require(judged.endMeanwhile(at: Timestamp(seconds: 2)))
    #expect(end.verdict == .deny && end.reason == "muted" && end.denied == judged.atoms)
    #expect(judgement([], asking: "read").endMeanwhile(at: Timestamp(seconds: 2)) == nil)
  }

  @Test(
    "An allow that would have no effect is refused, with the reason",
    arguments: [
      ("commands:run@tmux send-keys y", "such a line is asked about each time"),
      ("files:read@/srv/", "permtui forget everyone files:read@/srv/"),
      ("files:write@/etc/", "the policy of this machine forbids files:write@/etc/"),
      ("files:write@/home/ana/.ssh/", "name each file"),
    ])
  func refused(text: String, reason: String) throws {
    let reference = try CapabilityCatalogue.builtIn.parse(text)
    let definition = try #require(CapabilityCatalogue.builtIn[reference.capability]?.definition)
    let denied = try CapabilityCatalogue.builtIn.parse("files:read@/srv/").atoms
    let policy = MachinePolicy([.init(capability: "files", parts: ["write@/etc/"])])
    var standing = DecisionsInForce()
    standing.everyone = denied.map { decision(.deny, $0, for: .everyone) }
    standing.protected = ProtectedNames(home: try AbsolutePath("/home/ana"))
    do throws(DecisionRefused) {
      try Judge(of: program, definition, under: policy).checkAllowing(
        reference.atoms, for: nil, standing, at: Timestamp(seconds: 0))
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }
}
