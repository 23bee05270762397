import Operations
import PermModel

extension DemoStory {
  /// An agent that wants to run a command, and then to change a file.
  var agent: DemoAct {
    let lines = "npm run build 2>&1 | tail -20\ngit add -A\ngit commit -m \"Fix the build\""
    var build = RequestDetails(reason: "Build, then commit")
    build.facts.project = folder
    var change = RequestDetails()
    change.shown = ShownDetails(
      """
      - r.send("ok")
      + const up = process.uptime()
      + r.json({ ok: true, up })
      + log("health")
      """)
    change.facts.project = folder
    let conditions = [
      condition(cast.agent, Atom("commands", "run", .command(lines)), build),
      path("src/server/routes.ts").flatMap { condition(cast.agent, Atom("files", "write", $0), change) },
    ]
    return DemoAct(name: cast.agent.subject.label, conditions: conditions.compactMap(\.self)) { _ in
      "Built it, and changed routes.ts (not really)."
    }
  }

  /// A script that reads a file through a link, so that the file is not where its path suggests.
  var report: DemoAct {
    var details = RequestDetails()
    details.facts.project = folder
    let file = try? Scope("/srv/private/2026/taxes.csv", kind: .path)
    if let file { details.facts.paths = [PathFact(scope: file, spelling: path("data/latest.csv"))] }
    let asked = file.flatMap { condition(cast.report, Atom("files", "read", $0), details) }
    return DemoAct(name: cast.report.subject.label, conditions: [asked].compactMap(\.self)) { _ in
      "Wrote the report (not really)."
    }
  }

  private var folder: Scope? { cast.agent.subject.folder.flatMap { try? Scope("\($0.path)/", kind: .path) } }

  /// Returns a path in the agent's folder.
  private func path(_ name: String) -> Scope? {
    cast.agent.subject.folder.flatMap { try? Scope("\($0.path)/\(name)", kind: .path) }
  }

  private func condition(
    _ program: DemoProgram, _ atom: Atom, _ details: RequestDetails
  ) -> (any OperationCondition)? {
    func condition<C: CapabilityType>(_ capability: C) -> any OperationCondition {
      AuthorizedFor(capability, authorizer: acting(program), details: details)
    }
    return CapabilityCatalogue.builtIn[atom.capability].map { condition($0.capability(asking: [atom])) }
  }
}
