import Machine
import PermModel

@testable import PermTUI

/// The three alerts about values that `notes/values.md` draws.
extension Samples {
  static let claude = Evidence(
    process: ProcessIdentity(pid: 4711, startTime: 1),
    program: "/home/ana/.local/share/claude/versions/2.1.330", chain: ["tmux", "bash", "claude"],
    terminal: "pts/3", workingDirectory: "/home/ana/src/app")

  private static let agent = Subject(
    label: "claude", path: claude.program, file: nil,
    folder: ProgramFolder(path: "/home/ana/src/app", device: 1, inode: 2))

  static var claudeSubject: Subject { agent }

  static let commandAlert = valueAlert(
    [
      commandAtom(
        "cd ~/src/app && npm run build 2>&1 | tail -20\ngit add -A\ngit commit -m \"Fix the build\"")
    ],
    Capability.value("commands"), agent, claude, at: today(14, 3, 5), reason: "Build, then commit",
    covers: [CoverOffer(nil, words: "these 3 lines, exactly")],
    AnswerHistory(allowed: 12, denied: 1, last: today(13, 58)), severity: .severe)

  /// A line that was allowed several times today.
  static let oftenAlert = valueAlert(
    [commandAtom("npm test -- --watch=false")], Capability.value("commands"), agent, claude,
    at: today(14, 3, 5), reason: "Run the tests", covers: [CoverOffer(nil, words: "this line, exactly")],
    AnswerHistory(allowed: 14, denied: 1, last: today(13, 58), today: 4), severity: .severe)

  /// Something that an agent has started behind walls wants to write a file.
  static let walledAlert: Alert = {
    var evidence = claude
    evidence.chain = ["tmux", "bash", "permtui-run", "claude"]
    evidence.walled = WalledProcess(name: "deno", process: ProcessIdentity(pid: 4760, startTime: 2))
    return valueAlert(
      [Atom("files", "write", path("/home/ana/.cache/deno/gen/index.js"))], Capability.value("files"), agent,
      evidence, at: today(14, 6, 12),
      covers: [
        CoverOffer(nil, words: "this file"),
        CoverOffer(folder("/home/ana/.cache/deno/gen"), words: "all of /home/ana/.cache/deno/gen/"),
      ], AnswerHistory(allowed: 12, denied: 1, last: today(13, 58)))
  }()

  static let changeAlert = valueAlert(
    [Atom("files", "write", path("/home/ana/src/app/src/server/routes.ts"))], Capability.value("files"),
    agent,
    claude, at: today(14, 5, 41),
    covers: [
      CoverOffer(nil, words: "every change to this file"),
      CoverOffer(
        folder("/home/ana/src/app"),
        words: "all of /home/ana/src/app/ but .git, 3 more and protected names deeper in it"),
    ], AnswerHistory(allowed: 31, denied: 2, last: today(14, 4)),
    details: ShownDetails(
      "- r.send(\"ok\")\n+ const up = process.uptime()\n+ r.json({ ok: true, up })\n+ log(\"health\")\n"))

  static let linkAlert: Alert = {
    var facts = ValueFacts()
    facts.project = folder("/home/ana/src/app")
    facts.paths = [
      PathFact(
        scope: path("/srv/private/2026/taxes.csv"), spelling: path("/home/ana/src/app/data/latest.csv"))
    ]
    let evidence = Evidence(
      process: ProcessIdentity(pid: 9700, startTime: 1), program: "/home/ana/src/app/report.ts",
      interpreter: "deno", chain: ["tmux", "bash", "deno"], terminal: "pts/4",
      workingDirectory: "/home/ana/src/app")
    return valueAlert(
      [Atom("files", "read", path("/srv/private/2026/taxes.csv"))], Capability.value("files"),
      Subject(label: "report.ts", path: evidence.program), evidence, at: today(14, 9, 12),
      covers: [
        CoverOffer(nil, words: "this file"),
        CoverOffer(folder("/srv/private/2026"), words: "all of /srv/private/2026/"),
      ], AnswerHistory(), facts: facts, identity: .firstTime)
  }()

  static func path(_ text: String) -> Scope { scope(text, .path) }

  static func folder(_ text: String) -> Scope { scope("\(text)/", .path) }

  static func commandAtom(_ line: String) -> Atom { Atom("commands", "run", .command(line)) }

  private static func scope(_ text: String, _ kind: Scope.Kind) -> Scope {
    (try? Scope(text, kind: kind)) ?? .any
  }

  static func valueAlert(
    _ atoms: Set<Atom>, _ definition: CapabilityDefinition, _ subject: Subject, _ evidence: Evidence,
    at moment: Timestamp, reason: String? = nil, covers: [CoverOffer], _ history: AnswerHistory,
    details: ShownDetails? = nil, facts: ValueFacts = ValueFacts(), identity: IdentityCheck = .asSeen,
    severity: Severity = .moderate
  ) -> Alert {
    let request = Request(
      id: Request.ID("\(subject.label)-\(definition.name)"), subject: subject, capability: definition.name,
      atoms: atoms, reason: reason, askedAt: moment, evidence: evidence, details: details, facts: facts)
    var content = RequestAlert(
      request: request, title: definition.title, action: definition.action(for: atoms),
      explanation: definition.explanation(for: atoms), severity: severity,
      choices: [RequirementChoice(atoms: atoms, title: definition.title(for: atoms))], covers: covers,
      history: history, identity: identity, lifetimes: lifetimes)
    content.countReach(among: [], at: moment)
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }

  /// An alert in which the scope can be changed.
  static func fileAlert(
    _ text: String = "/srv/x/a", covers: [CoverOffer]? = nil, details: ShownDetails? = nil,
    facts: ValueFacts = ValueFacts()
  ) -> Alert {
    let wider = [
      CoverOffer(folder("/srv/x"), words: "all of /srv/x/"),
      CoverOffer(folder("/srv"), words: "all of /srv/"),
    ]
    return valueAlert(
      [Atom("files", "read", path(text))], Capability.value("files"),
      Subject(label: "backup", path: evidence.program),
      evidence, at: today(14, 3, 5), covers: covers ?? [CoverOffer(nil, words: "this file")] + wider,
      AnswerHistory(), details: details, facts: facts)
  }
}

extension Capability {
  /// The definition of a built-in capability whose parts take values.
  static func value(_ name: String) -> CapabilityDefinition {
    CapabilityCatalogue.builtIn[name]?.definition
      ?? CapabilityDefinition(name: name, title: name, summary: "", parts: [])
  }
}
