/// An evaluator of one operation's conditions, which also runs the conditions' remedies.
struct ConditionLooks {
  let record: OperationRecord
  let details: OperationDetails
  /// The outcomes of the remedies, each at the index of its condition. Empty if no remedy ran.
  private(set) var endings: [OperationEnding?] = []

  // Operations often share an array of conditions. A copy of it would make the threads compete for its count of owners.
  private var conditions: [any OperationCondition] { details.conditions }

  /// Evaluates all conditions. If all conditions that do not hold have remedies, runs the remedies in order, and
  /// evaluates each condition again after its remedy. Stops at the first condition that still does not hold.
  mutating func lookAndRemedy() async -> ConditionVerdict {
    switch next(after: await look(.first)) {
    case .done(let verdict): return verdict
    case .cure(let remedies, let results): return await run(remedies, after: results)
    }
  }

  private enum Next {
    case done(ConditionVerdict)
    case cure(_ remedies: [(any Operation)?], Results)
  }

  @inline(never)
  private func next(after results: Results) -> Next {
    if results.allSatisfied(by: conditions) { return .done(ConditionVerdict()) }
    let remedies = makeRemedies(for: results)
    var isWorthwhile = remedies.contains { $0 != nil }
    results.forEach { place, result in
      isWorthwhile = isWorthwhile && (result.isSatisfied || remedies[place] != nil)
    }
    return isWorthwhile ? .cure(remedies, results) : .done(verdict(of: results))
  }

  /// Evaluates all conditions once more, after all waiting.
  @inline(__always)
  func lastLook() async -> ConditionVerdict {
    verdict(of: await look(.last))
  }

  @inline(never)
  private func verdict(of results: Results) -> ConditionVerdict {
    var verdict = ConditionVerdict()
    results.forEach { place, result in verdict.add(result, of: conditions[place].name) }
    return verdict
  }

  @inline(never)
  private mutating func run(_ remedies: [(any Operation)?], after results: Results) async -> ConditionVerdict
  {
    endings = Array(repeating: nil, count: conditions.count)
    var results = results
    for (place, remedy) in remedies.enumerated() {
      guard let remedy else { continue }
      guard await isStillNeeded(place) else {
        results.set(.satisfied, at: place)
        continue
      }
      guard let ending = await run(remedy, forConditionAt: place) else { break }
      endings[place] = ending
      let result = await evaluate(place, .afterRemedy)
      results.set(result, at: place)
      guard case .satisfied = result else { break }
    }
    record.tell(.remediesEnded)
    return verdict(of: results)
  }

  /// Returns whether a condition still needs its remedy, after the remedies before it have run.
  private func isStillNeeded(_ place: Int) async -> Bool {
    guard endings.contains(where: { $0 != nil }) else { return true }
    return await !conditions[place].hasComeTrue(for: OperationReference(record: record))
  }

  /// Returns the remedies to run, each at the index of its condition: those of curable conditions that do not
  /// hold, and those of satisfied conditions whose remedies always run.
  private func makeRemedies(for results: Results) -> [(any Operation)?] {
    var remedies: [(any Operation)?] = Array(repeating: nil, count: conditions.count)
    results.forEach { place, result in
      if result.wantsRemedy(of: conditions[place]) { remedies[place] = conditions[place].makeRemedy() }
    }
    return remedies
  }

  /// Runs a remedy and returns its outcome. Returns `nil` if the remedy was not added because the operation
  /// has ended in the meantime.
  private func run(_ remedy: any Operation, forConditionAt place: Int) async -> OperationEnding? {
    let timely = remedy.timely(for: conditions[place], canWait: record.queue.canHoldUp)
    guard let reference = record.queue.addRemedy(timely, for: record, conditionAt: place) else { return nil }
    record.tell(.remedyStarted(condition: conditions[place].name, remedy: reference))
    record.queue.exclusion.detector.waitBegan()
    let ending = await reference.record.end()
    record.details?.endRemedy()
    return ending
  }

  /// Evaluates all conditions concurrently, except those that always hold.
  @inline(__always)
  private func look(_ look: ConditionContext.Look) async -> Results {
    if let place = record.details?.soleCondition { return .one(place, await evaluate(place, look)) }
    return await lookAtSeveral(look)
  }

  @inline(never)
  private func lookAtSeveral(_ look: ConditionContext.Look) async -> Results {
    .all(await conditions.evaluate { context(of: $0, look) })
  }

  @inline(__always)
  private func evaluate(_ place: Int, _ look: ConditionContext.Look) async -> ConditionResult {
    await conditions[place].evaluate(context(of: place, look))
  }

  // Inlined, this would make the frame of a waiting task outgrow the memory that the task begins with.
  @inline(never)
  private func context(of place: Int, _ look: ConditionContext.Look) -> ConditionContext {
    ConditionContext(
      look: look, operation: OperationReference(record: record),
      remedyEnding: endings.isEmpty ? nil : endings[place])
  }
}

extension ConditionLooks {
  /// The results of evaluating the conditions, each with its condition's index. Most operations have only one
  /// condition to evaluate and therefore need no array.
  fileprivate enum Results {
    case one(Int, ConditionResult)
    case all([ConditionResult])

    func forEach(_ body: (Int, ConditionResult) -> Void) {
      switch self {
      case .one(let place, let result): body(place, result)
      case .all(let results): for (place, result) in results.enumerated() { body(place, result) }
      }
    }

    mutating func set(_ result: ConditionResult, at place: Int) {
      switch self {
      case .one: self = .one(place, result)
      case .all(var results):
        results[place] = result
        self = .all(results)
      }
    }

    /// Returns whether all conditions are satisfied and none of them has a remedy that always runs.
    func allSatisfied(by conditions: [any OperationCondition]) -> Bool {
      var isSatisfied = true
      forEach { place, result in
        isSatisfied = isSatisfied && result.isSatisfied && !conditions[place].remedyAlwaysRuns
      }
      return isSatisfied
    }
  }
}
