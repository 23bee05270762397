import Testing
import Waiting

@testable import PermModel

#if canImport(Glibc)
  import Glibc
#endif

/// Compares what decisions say with a model that is slow and written by hand, for random sets of decisions.
@Suite("Which decision counts, for random decisions", .usesOneThread)
struct PrecedencePropertyTests {
  /// The number of sets of decisions. `PERMTUI_PRECEDENCE_SETS` changes it.
  static let sets = getenv("PERMTUI_PRECEDENCE_SETS").flatMap { Int(String(cString: $0)) } ?? 100_000

  @Test("The state is the one that a simple model says", arguments: 0..<4)
  func states(seed: Int) throws {
    let world = NaiveWorld.all[seed]
    let scopes = try world.parsedScopes()
    var random = Generator(state: UInt64(seed))
    var seen: [AtomState: Int] = [:]
    for _ in 0..<(Self.sets / 4) {
      let model = world.randomModel(&random)
      let decided = model.decided(scopes)
      let (part, scope) = (random.pick(world.parts), random.pick(world.scopes))
      let expected = model.state(part, scope)
      let found = decided.state(of: Atom(world.definition.name, part, scopes[scope, default: .any]))
      seen[found, default: 0] += 1
      if found != expected {
        Issue.record("\(part)@\(scope) is \(found), not \(expected): \(model)")
        return
      }
    }
    #expect(seen.values.allSatisfy { $0 > Self.sets / 400 } && seen.count == 4, "\(seen)")
  }
}

extension PrecedencePropertyTests {
  @Test("A look-up of what a question needs finds what a look-up of everything finds", arguments: 0..<3)
  func lookUps(seed: Int) throws {
    let world = NaiveWorld.all[seed]
    let scopes = try world.parsedScopes()
    let name = world.definition.name
    let subject = Subject(label: "p")
    var random = Generator(state: UInt64(100 + seed))
    for _ in 0..<100 {
      let model = world.randomModel(&random)
      let facts = model.facts(scopes)
      let store = MemoryStore(environment: .linux(sessionFolder: nil))
      for decision in model.decisions(scopes) {
        // An allow that a denial makes void is refused.
        _ = try? store.decide(
          Ruling(decision.verdict, subject: decision.subject, atoms: [decision.atom]), by: .commandLine)
      }
      let everything = try store.standing(of: subject, capability: name)
      for part in world.parts {
        for scope in world.scopes {
          let atom = Atom(name, part, scopes[scope, default: .any])
          let needed = try store.standing(of: subject, capability: name, asking: facts.needed(for: [atom]))
          let states = [everything, needed].map {
            Judge(of: subject, world.definition, under: .none).judgement(on: [atom], $0, facts)
              .decided.state(of: atom)
          }
          #expect(states[0] == states[1], "\(part)@\(scope): \(model)")
        }
      }
    }
  }
}

/// A sequence of random numbers that is the same in each run.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &self)] }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

// MARK: - The model

/// A handful of values and parts, with everything that is true of them written out by hand.
private struct NaiveWorld: Sendable {
  var definition: CapabilityDefinition
  /// The parts that are allowed along with each part, itself included.
  var includes: [String: [String]]
  /// Each scope, with the scopes that cover it, the narrowest first.
  var wider: [String: [String]]
  var joined: [String: [String]] = [:]
  /// The lines that stand in other ones, which are denied along with them, but not allowed.
  var contained: [String: [String]] = [:]
  var alwaysAsked: [String] = []
  var lines: [String] = []
  var protected: [String] = []
  /// The names under which paths can also be asked for.
  var links: [String: String] = [:]

  var parts: [String] { includes.keys.sorted() }
  var scopes: [String] { wider.keys.sorted() }

  func parsedScopes() throws -> [String: Scope] {
    let kind = try #require(definition.parts[0].values)
    var parsed: [String: Scope] = [:]
    for scope in scopes { parsed[scope] = try Scope(scope, kind: kind) }
    return parsed
  }

  static let all = [files, commands, network, vault]

  static let files = NaiveWorld(
    definition: Capability.Files.definition,
    includes: ["read": ["read"], "write": ["write", "read"]],
    wider: [
      "*": ["*"], "/": ["/", "*"], "/a/": ["/a/", "/", "*"], "/a": ["/a", "/a/", "/", "*"],
      "/a/b": ["/a/b", "/a/b/", "/a/", "/", "*"], "/a/b/": ["/a/b/", "/a/", "/", "*"],
      "/a/b/c": ["/a/b/c", "/a/b/", "/a/", "/", "*"], "/a/.ssh/": ["/a/.ssh/", "/a/", "/", "*"],
      "/a/.ssh/k": ["/a/.ssh/k", "/a/.ssh/", "/a/", "/", "*"], "/d": ["/d", "/", "*"],
    ],
    protected: ["/a/.ssh/", "/a/.ssh/k"], links: ["/a/b": "/d", "/a/b/c": "/a/.ssh/k", "/a/.ssh/k": "/a/b"])

  static let commands = NaiveWorld(
    definition: Capability.Commands.definition, includes: ["run": ["run"]],
    wider: [
      "*": ["*"], "git status …": ["git status …", "*"],
      "git status -s": ["git status -s", "git status …", "*"],
      "a": ["a", "*"], "b c": ["b c", "*"], "tmux new": ["tmux new", "*"], "a && b c": ["a && b c", "*"],
      "a; git status -s": ["a; git status -s", "*"], "a || tmux new": ["a || tmux new", "*"],
      "cd x && a": ["cd x && a", "*"],
    ],
    joined: [
      "a && b c": ["a", "b c"], "a; git status -s": ["a", "git status -s"],
      "a || tmux new": ["a", "tmux new"],
    ],
    contained: ["cd x && a": ["a"]], alwaysAsked: ["tmux new", "a || tmux new"],
    lines: [
      "git status -s", "a", "b c", "tmux new", "a && b c", "a; git status -s", "a || tmux new", "cd x && a",
    ])

  static let network = NaiveWorld(
    definition: Capability.Network.definition,
    includes: ["connect": ["connect"], "listen": ["listen"]],
    wider: [
      "*": ["*"], "*.a.org": ["*.a.org", "*"], "a.org": ["a.org", "*"],
      "a.org:443": ["a.org:443", "a.org", "*"],
      "a.org:80": ["a.org:80", "a.org", "*"], "b.a.org": ["b.a.org", "*.a.org", "*"],
      "b.a.org:443": ["b.a.org:443", "b.a.org", "*.a.org", "*"],
    ])

  static let vault = NaiveWorld(
    definition: CapabilityDefinition(
      name: "vault", title: "Vault", summary: "",
      parts: [
        CapabilityPart("list", values: .name, action: ""),
        CapabilityPart("read", values: .name, action: "", implies: ["list"]),
        CapabilityPart("write", values: .name, action: "", implies: ["read"]),
      ]),
    includes: ["list": ["list"], "read": ["read", "list"], "write": ["write", "read", "list"]],
    wider: ["*": ["*"], "x": ["x", "*"], "y": ["y", "*"]])

  func randomModel(_ random: inout Generator) -> NaiveModel {
    var model = NaiveModel(world: self)
    for _ in 0..<Int.random(in: 0...7, using: &random) {
      let rule = NaiveModel.Rule(
        who: Int.random(in: 0..<8, using: &random), part: random.pick(parts),
        scope: random.pick(scopes), isDenial: Int.random(in: 0..<5, using: &random) < 2,
        time: Int.random(in: 0..<5, using: &random))
      switch rule.who {
      case 0: model.everyone.append(rule)
      case 1 where rule.time == 0: model.policy.append(rule)
      default: model.own.append(rule)
      }
    }
    model.isPanic = Int.random(in: 0..<16, using: &random) == 0
    model.isElsewhere = Int.random(in: 0..<8, using: &random) == 0
    model.formHolds = Bool.random(using: &random)
    model.isLinked = Bool.random(using: &random)
    return model
  }
}

private struct NaiveModel {
  struct Rule {
    var who: Int
    var part, scope: String
    var isDenial: Bool
    var time: Int
  }

  var world: NaiveWorld
  var policy: [Rule] = []
  var everyone: [Rule] = []
  var own: [Rule] = []
  var isPanic = false
  var isElsewhere = false
  var formHolds = false
  var isLinked = false

  func state(_ part: String, _ scope: String) -> AtomState {
    let joined = world.joined[scope] ?? []
    let link = isLinked ? world.links[scope] : nil
    let contained = world.contained[scope] ?? []
    for name in [scope] + joined + contained + (link.map { [$0] } ?? []) {
      for rule in policy where includes(part, rule.part) && overlap(rule.scope, name) { return .restricted }
    }
    if isPanic { return .denied }
    if let link, alone(part, link, spelled: nil).state == .denied { return .denied }
    for line in contained {
      let one = alone(part, line, spelled: nil)
      if one.state == .denied && one.at != "*" { return .denied }
    }
    if joined.isEmpty { return alone(part, scope, spelled: link).state }
    return state(part, scope, joined)
  }

  private func state(_ part: String, _ scope: String, _ joined: [String]) -> AtomState {
    let whole = alone(part, scope, spelled: nil)
    var allAllowed = true
    // A denial of everything is outweighed by an allow of this very line, or of each of its parts.
    if whole.state == .denied && whole.at != "*" { return .denied }
    for line in joined {
      let one = alone(part, line, spelled: nil)
      if one.state == .denied && one.at != "*" { return .denied }
      if one.state != .allowed { allAllowed = false }
    }
    if whole.state == .allowed && whole.at == scope { return .allowed }
    if allAllowed { return .allowed }
    return whole.state == .denied ? .denied : .undecided
  }

  /// Returns the state of a scope by itself, and the scope of the decision that counts.
  private func alone(_ part: String, _ scope: String, spelled: String?) -> (state: AtomState, at: String) {
    for rule in everyone where includes(part, rule.part) && overlap(rule.scope, scope) {
      return (.denied, "everyone")
    }
    for rule in own where rule.isDenial && includes(part, rule.part) {
      if rule.scope != scope && world.wider[rule.scope, default: []].contains(scope) {
        return (.denied, rule.scope)
      }
    }
    for wide in world.wider[scope, default: []] {
      var latest: Rule?
      for rule in own where rule.scope == wide {
        if rule.isDenial ? !includes(part, rule.part) : !includes(rule.part, part) { continue }
        if !rule.isDenial && !canAllow(part, scope, spelled, wide) { continue }
        let isLater = latest.map { rule.time > $0.time || (rule.time == $0.time && rule.isDenial) } ?? true
        if isLater { latest = rule }
      }
      if let latest { return (latest.isDenial ? .denied : .allowed, wide) }
    }
    return (.undecided, "")
  }

  private func canAllow(_ part: String, _ scope: String, _ spelled: String?, _ wide: String) -> Bool {
    if world.alwaysAsked.contains(scope) { return false }
    if isElsewhere && world.lines.contains(scope) { return wide.hasSuffix("…") && formHolds }
    if part == "write", scope.hasSuffix("/"), world.protected.contains(scope) { return false }
    if wide == scope { return true }
    if wide.hasSuffix("…") { return formHolds }
    guard part == "write" else { return true }
    return !world.protected.contains(scope) && !(spelled.map { world.protected.contains($0) } ?? false)
  }

  private func includes(_ part: String, _ other: String) -> Bool {
    world.includes[part, default: []].contains(other)
  }

  private func overlap(_ one: String, _ other: String) -> Bool {
    world.wider[one, default: []].contains(other) || world.wider[other, default: []].contains(one)
  }
}

// MARK: - The same decisions in the model's types

extension NaiveModel {
  func decisions(_ scopes: [String: Scope]) -> [Decision] {
    func decision(_ rule: Rule, _ subject: Subject, _ verdict: Verdict) -> Decision {
      Decision(
        subject: subject, atom: Atom(world.definition.name, rule.part, scopes[rule.scope, default: .any]),
        verdict: verdict, lifetime: .forever,
        origin: .commandLine, decidedAt: Timestamp(microseconds: Int64(rule.time)))
    }
    return everyone.map { decision($0, .everyone, .deny) }
      + own.map { decision($0, Subject(label: "p"), $0.isDenial ? .deny : .allow) }
  }

  func facts(_ scopes: [String: Scope]) -> ValueFacts {
    var facts = ValueFacts()
    facts.isElsewhere = isElsewhere
    facts.forms = formHolds ? ["git status"] : []
    if isLinked {
      facts.paths = world.links.map {
        PathFact(scope: scopes[$0, default: .any], spelling: scopes[$1, default: .any])
      }
    }
    return facts
  }

  func decided(_ scopes: [String: Scope]) -> DecidedAtoms {
    DecidedAtoms(
      world.definition, decisions: decisions(scopes),
      restricted: Set(
        policy.map { Atom(world.definition.name, $0.part, scopes[$0.scope, default: .any]) }),
      isSuspended: isPanic, facts: facts(scopes),
      protected: ProtectedNames(home: nil))
  }
}
