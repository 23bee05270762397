import Machine
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
    return DemoAct(
      name: cast.agent.subject.label, conditions: conditions.compactMap(\.self),
      excuse: { _ in "its commands, or the change to routes.ts, not allowed" }
    ) { _ in
      "Built it, and changed routes.ts (not really)."
    }
  }

  /// A script that reads a file through a link, so that the file is not where its path suggests.
  func report() async -> DemoAct {
    var details = RequestDetails()
    details.facts.project = folder
    let table = cast.agent.subject.folder.map { "\($0.path)/\(DemoMachine.linkedTable)" } ?? ""
    let fact = await found(table, by: cast.report)
    details.facts.paths = [fact].compactMap(\.self)
    let asked = fact.flatMap { condition(cast.report, Atom("files", "read", $0.scope), details) }
    return DemoAct(
      name: cast.report.subject.label, conditions: [asked].compactMap(\.self),
      excuse: { _ in "the file that the link leads to was not allowed" }
    ) { _ in
      let lines = Files.text(of: table)?.split(separator: "\n").count ?? 0
      return "Read \(lines) lines of a table that a link leads to."
    }
  }

  /// Returns the file that a path means to a program.
  private func found(_ path: String, by program: DemoProgram) async -> PathFact? {
    guard let spelling = try? Scope(path, kind: .path) else { return nil }
    let process = program.evidence.process
    do throws(PathDoubt) {
      let file = try await PathResolver().resolve(
        Array(path.utf8), by: process.pid, startedAt: process.startTime)
      return (try? AbsolutePath(file.path)).map {
        PathFact(scope: .path($0), spelling: file.leadsElsewhere ? spelling : nil)
      }
    } catch {
      return PathFact(scope: spelling, doubt: error.reason)
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
