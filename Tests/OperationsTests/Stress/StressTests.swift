import KernelStress
import Operations
import Testing

@Suite("Stress", .serialized)
struct StressTests {
  static let adders = 8
  static let operationsEach = 12_500
  static let categories = 40

  @Test("Never two holders, nobody lost, everything ends", arguments: [UInt64.random(in: 0..<UInt64.max)])
  func everythingEnds(seed: UInt64) async {
    let exclusion = ExclusionScheduler()
    let queues = [
      OperationQueue(name: "wide", exclusion: exclusion),
      OperationQueue(name: "narrow", width: 3, exclusion: exclusion),
    ]
    let (holders, report) = (Holders(), StressReport())
    let outcomes = await withTaskGroup(of: [String: Int].self) { group in
      for adder in 0..<Self.adders {
        let random = Seeded(seed: seed &+ UInt64(adder))
        group.addTask { await Self.add(to: queues, holders, report, random) }
      }
      return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    for queue in queues { await queue.waitUntilIdle() }
    let total = Self.adders * Self.operationsEach
    #expect(outcomes.values.reduce(0, +) == total, "seed \(seed)")
    #expect(holders.overlaps == 0, "seed \(seed)")
    #expect(report.faults.isEmpty, "seed \(seed): \(report)")
    #expect(exclusion.snapshot().lines.isEmpty, "seed \(seed)")
    #expect(queues.allSatisfy { $0.count == 0 }, "seed \(seed)")
    for word in ["succeeded", "failed", "cancelled", "skipped"] {
      #expect(outcomes[word, default: 0] > total / 200, "seed \(seed): \(outcomes)")
    }
  }

  /// Adds operations of all kinds, cancels some on the way, and counts the outcomes.
  private static func add(
    to queues: [OperationQueue], _ holders: Holders, _ report: StressReport, _ seeded: Seeded
  ) async -> [String: Int] {
    var random = seeded
    var handles: [[OperationHandle<Void>]] = queues.map { _ in [] }
    var outcomes: [Task<OperationOutcome, Never>] = []
    for number in 0..<operationsEach {
      let place = random.chance(30) ? 1 : 0
      let plan = Plan(&random)
      let known = handles[place]
      let after = plan.dependencies.compactMap {
        known.isEmpty ? nil : known[known.count - 1 - $0 % known.count]
      }
      let witness = Witness(report)
      let handle = plan.add(to: queues[place], after: after, holders, witness)
      handles[place].append(handle)
      outcomes.append(Task { await witness.end(of: handle) })
      if random.chance(10) { handle.cancel() }
      if random.chance(15), let victim = handles[place].randomElement(using: &random) { victim.cancel() }
      if number % 64 == 0 { await Task.yield() }
    }
    var words: [String: Int] = [:]
    for outcome in outcomes { words[await outcome.value.word, default: 0] += 1 }
    return words
  }
}

extension StressTests {
  /// The properties of one operation of the stress test.
  struct Plan: Sendable {
    let categories: [Int]
    let dependencies: [Int]
    let conditions: [any OperationCondition]
    let priority: OperationPriority
    let deadlines: Deadlines
    let throwsError: Bool
    let yields: Int
    let child: Int?

    init(_ random: inout Seeded) {
      var categories: Set<Int> = []
      if random.chance(70) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          categories.insert(Int.random(in: 0..<StressTests.categories, using: &random))
        }
      }
      self.categories = categories.sorted()
      dependencies = random.chance(30) ? [Int.random(in: 0..<8, using: &random)] : []
      conditions = Self.conditions(&random)
      priority = OperationPriority.allCases.randomElement(using: &random) ?? .normal
      deadlines = Self.deadlines(&random)
      throwsError = random.chance(5)
      yields = Int.random(in: 0..<3, using: &random)
      child = random.chance(10) ? self.categories.first : nil
    }

    private static func conditions(_ random: inout Seeded) -> [any OperationCondition] {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<10: [TrueCondition(), BlockCondition { true }]
      case 10..<15: [Scripted("unmet", [.failing("unmet")])]
      case 15..<20: [Scripted("skips", [.skipped(reason: "stress")])]
      case 20..<30:
        [Scripted("cured", [.failing("curable", curable: true), .satisfied]) { BlockOperation { _ in } }]
      case 30..<35: [NoFailedDependenciesCondition()]
      default: []
      }
    }

    private static func deadlines(_ random: inout Seeded) -> Deadlines {
      guard random.chance(15) else { return .none }
      let limit = Duration.microseconds(Int.random(in: 0..<20_000, using: &random))
      return Deadlines(dependencies: limit, exclusion: limit, human: limit, execution: limit)
    }

    func add(
      to queue: OperationQueue, after: [OperationHandle<Void>], _ holders: Holders, _ witness: Witness
    ) -> OperationHandle<Void> {
      let names = categories.map { ExclusionCategory("\($0)") }
      let exclusive = names.map { MutuallyExclusive($0) as any OperationCondition }
      return queue.add(
        "stress", conditions: conditions + exclusive, after: after,
        options: .init(priority: priority, deadlines: deadlines)
      ) { context in
        try await witness.watch {
          holders.enter(categories)
          defer { holders.leave(categories) }
          for _ in 0..<yields { await Task.yield() }
          if let child {
            let slot = MutuallyExclusive("\(child)")
            try await context.run(BlockOperation("child", conditions: [slot]) { _ in await Task.yield() })
          }
          if throwsError { throw Failure() }
        }
      }
    }
  }
}
