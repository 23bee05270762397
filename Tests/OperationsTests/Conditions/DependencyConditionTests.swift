import Operations
import Testing

@Suite("Conditions about dependencies")
struct DependencyConditionTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  private func outcome(
    of condition: NoFailedDependenciesCondition, after endings: [String]
  ) async -> OperationOutcome {
    let dependencies = endings.map { ending in
      queue.add(ending) { _ in
        switch ending {
        case "failed": throw Failure()
        case "cancelled": throw CancellationError()
        case "skipped": throw OperationSkipped(reason: "night")
        default: return
        }
      }
    }
    return await queue.add(conditions: [condition], after: dependencies) { _ in }.outcome
  }

  @Test(
    "Which ends of dependencies count can be chosen; unless chosen, all but success do",
    arguments: [
      (.all, ["succeeded"], "succeeded"), (.all, [], "succeeded"), (.all, ["failed"], "failed"),
      (.all, ["cancelled"], "failed"), (.all, ["skipped"], "failed"),
      (.cancelled, ["failed", "skipped"], "succeeded"), (.cancelled, ["failed", "cancelled"], "failed"),
      (.failed, ["cancelled", "skipped"], "succeeded"),
    ] as [(NoFailedDependenciesCondition.Endings, [String], String)])
  func counted(endings: NoFailedDependenciesCondition.Endings, dependencies: [String], outcome: String) async
  {
    let condition = NoFailedDependenciesCondition(counting: endings)
    #expect(await self.outcome(of: condition, after: dependencies).word == outcome)
  }

  @Test(
    "Ignoring cancellations skips after cancelled dependencies, and fails after failed ones",
    arguments: [
      (["cancelled"], "skipped"), (["skipped"], "skipped"), (["cancelled", "failed"], "failed"),
      (["succeeded"], "succeeded"),
    ])
  func ignoring(dependencies: [String], outcome: String) async {
    let condition = NoFailedDependenciesCondition(ignoringCancellations: true)
    #expect(await self.outcome(of: condition, after: dependencies).word == outcome)
  }

  @Test("The error names all dependencies that count, with how they ended")
  func error() async throws {
    let outcome = await outcome(of: NoFailedDependenciesCondition(), after: ["failed", "succeeded"])
    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let failed = try #require(
      (error as? ConditionsFailed)?.first(NoFailedDependenciesCondition.DependenciesFailed.self))
    #expect(failed.description == "“failed” failed: \(Failure())")
  }

  @Test("A dependency that is named twice is told once", arguments: [true, false])
  func twice(hasEnded: Bool) async throws {
    let gate = Gate()
    let failing = queue.add("failing") { _ in
      await gate.wait()
      throw Failure()
    }
    if hasEnded {
      gate.open()
      _ = await failing.outcome
    }
    let handle = queue.add(conditions: [NoFailedDependenciesCondition()], after: [failing, failing]) { _ in }
    gate.open()
    let failed = try await #require(throws: ConditionsFailed.self) { try await handle.value }
    let dependencies = failed.first(NoFailedDependenciesCondition.DependenciesFailed.self)?.dependencies
    #expect(dependencies?.map(\.name) == ["failing"])
  }
}
