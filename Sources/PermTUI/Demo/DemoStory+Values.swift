import Machine
import Operations
import PermModel

extension DemoStory {
  /// An agent that wants to run a command, and then to change a file.
  var agent: DemoAct {
    let lines = "npm run build 2>&1 | tail -20\ngit add -A\ngit commit -m \"Fix the build\""
    var build = RequestDetails(reason: "Build, then commit")
    build.facts = inProject
    var change = RequestDetails()
    change.shown = ShownDetails(
      """
      - r.send("ok")
      + const up = process.uptime()
      + r.json({ ok: true, up })
      + log("health")
      """)
    change.facts = inProject
    let conditions = [
      condition(cast.agent, Atom("commands", "run", .command(lines)), build),
      path("src/server/routes.ts").flatMap { condition(cast.agent, Atom("files", "write", $0), change) },
    ]
    return DemoAct(
      name: cast.agent.subject.label, conditions: conditions.compactMap(\.self),
      excuse: { _ in "its commands, or the change to routes.ts, not allowed" }
    ) { _ in
      "Built it, and changed routes.ts (not really)."
    }
  }

  /// A script that reads a file through a link, so that the file is not where its path suggests.
  var report: DemoAct {
    let table = cast.agent.subject.folder.map { "\($0.path)/\(DemoMachine.linkedTable)" } ?? ""
    let asked = (try? Scope(table, kind: .path)).flatMap {
      condition(cast.report, Atom("files", "read", $0), RequestDetails())
    }
    return DemoAct(
      name: cast.report.subject.label, conditions: [asked].compactMap(\.self),
      excuse: { _ in "the file that the link leads to was not allowed" }
    ) { _ in
      let lines = Files.text(of: table)?.split(separator: "\n").count ?? 0
      return "Read \(lines) lines of a table that a link leads to."
    }
  }

  /// The facts about values in the agent's project, which is the demo's own.
  private var inProject: ValueFacts {
    var facts = ValueFacts()
    facts.project = cast.agent.subject.folder.flatMap { try? Scope("\($0.path)/", kind: .path) }
    return facts
  }

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
