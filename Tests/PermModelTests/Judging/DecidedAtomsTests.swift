import PermModel
import Testing

@Suite("Decisions about atoms")
struct DecidedAtomsTests {
  let location = Capability.Location.definition

  func decision(_ verdict: Verdict, _ atom: Atom, at second: Int64) -> Decision {
    Decision(
      subject: Subject(label: "tracker"), atom: atom, verdict: verdict, lifetime: .forever,
      origin: .commandLine, decidedAt: Timestamp(seconds: second))
  }

  @Test("An allow covers what its atom implies, and nothing wider")
  func allowImplies() {
    let decided = DecidedAtoms(location, decisions: [decision(.allow, Atom("location", "always"), at: 1)])
    #expect(decided.state(of: "when-in-use") == .allowed)
    #expect(decided.state(of: "precise") == .undecided)
    let narrow = DecidedAtoms(location, decisions: [decision(.allow, Atom("location", "when-in-use"), at: 1)])
    #expect(narrow.state(of: "always") == .undecided)
  }

  @Test("A deny denies what would imply it")
  func denyImplies() {
    let decided = DecidedAtoms(location, decisions: [decision(.deny, Atom("location", "when-in-use"), at: 1)])
    #expect(decided.state(of: "always") == .denied)
    #expect(decided.state(of: "precise") == .denied)
  }

  @Test("The latest decision that speaks about an atom counts, whichever comes first in the list")
  func latestCounts() {
    let old = decision(.deny, Atom("location", "when-in-use"), at: 1)
    let new = decision(.allow, Atom("location", "always"), at: 2)
    for decisions in [[old, new], [new, old]] {
      #expect(DecidedAtoms(location, decisions: decisions).state(of: "when-in-use") == .allowed)
      #expect(DecidedAtoms(location, decisions: decisions).state(of: "precise") == .denied)
    }
  }

  @Test("Of two decisions at one moment the deny counts")
  func denyWinsTies() {
    let both = [
      decision(.allow, Atom("location", "always"), at: 1),
      decision(.deny, Atom("location", "when-in-use"), at: 1),
    ]
    #expect(DecidedAtoms(location, decisions: both).state(of: "when-in-use") == .denied)
  }

  @Test("The policy counts before every decision and before an answer that is not kept")
  func restrictionWins() {
    let allow = decision(.allow, Atom("location", "always"), at: 9)
    let decided = DecidedAtoms(location, decisions: [allow], restricted: [Atom("location", "always")])
      .answering(.allow, [Atom("location", "always")], at: Timestamp(seconds: 10))
    #expect(decided.state(of: "always") == .restricted)
    #expect(decided.state(of: "when-in-use") == .allowed)
  }

  @Test("An answer that is not kept counts before the decisions up to its moment, and not before later ones")
  func answerCounts() {
    let deny = decision(.deny, Atom("location", "when-in-use"), at: 9)
    let decided = DecidedAtoms(location, decisions: [deny])
    let atoms: Set = [Atom("location", "when-in-use")]
    let later = decided.answering(.allow, atoms, at: Timestamp(seconds: 9))
    #expect(later.state(of: "when-in-use") == .allowed)
    #expect(decided.answering(.allow, atoms, at: Timestamp(seconds: 8)).state(of: "when-in-use") == .denied)
  }

  @Test("While everything is suspended, allowed and undecided alike count as denied")
  func suspension() {
    let allow = decision(.allow, Atom("location", "when-in-use"), at: 1)
    let decided = DecidedAtoms(location, decisions: [allow], isSuspended: true)
    #expect(decided.state(of: "when-in-use") == .denied)
    #expect(decided.state(of: "always") == .denied)
  }

  @Test("Decisions on another capability say nothing")
  func otherCapability() {
    let other = decision(.allow, Atom("camera"), at: 1)
    #expect(DecidedAtoms(location, decisions: [other]).state(of: "use") == .undecided)
  }

  @Test("An atom without a container covers it in every container, not the other way round")
  func containers() {
    let cloud = Capability.Cloud.definition
    let all = DecidedAtoms(cloud, decisions: [decision(.allow, Atom("cloud", "write"), at: 1)])
    #expect(all.state(of: Atom("cloud", "read", .name("nas"))) == .allowed)
    let one = DecidedAtoms(cloud, decisions: [decision(.allow, Atom("cloud", "write", .name("nas")), at: 1)])
    #expect(one.state(of: Atom("cloud", "read", .name("nas"))) == .allowed)
    #expect(one.state(of: "read") == .undecided)
    #expect(one.state(of: Atom("cloud", "read", .name("other"))) == .undecided)
  }
}
