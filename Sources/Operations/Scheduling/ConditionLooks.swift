/// Looks at the conditions of one operation, and runs the remedies of those that do not hold.
struct ConditionLooks {
  let record: OperationRecord
  let conditions: [any OperationCondition]
  /// How the remedies ended, by the condition's place; empty if none ran.
  private(set) var endings: [OperationEnding?] = []

  /// First all are looked at without remedies; then, if nothing speaks against it that no remedy can cure, the
  /// remedies of those that do not hold run in order, each followed by a look at its condition.
  mutating func lookAndRemedy() async -> ConditionVerdict {
    switch next(after: await look(.first)) {
    case .done(let verdict): return verdict
    case .cure(let remedies, let results): return await run(remedies, after: results)
    }
  }

  /// What follows from the first look.
  private enum Next {
    case done(ConditionVerdict)
    case cure(_ remedies: [(any Operation)?], Results)
  }

  @inline(never)
  private func next(after results: Results) -> Next {
    if results.allSatisfied(by: conditions) { return .done(ConditionVerdict()) }
    let remedies = makeRemedies(for: results)
    let verdict = verdict(of: results) { remedies[$0] != nil }
    guard verdict.isSatisfied || verdict.isCurable, remedies.contains(where: { $0 != nil }) else {
      return .done(verdict)
    }
    return .cure(remedies, results)
  }

  /// Looks at all once more, after all waiting.
  func lastLook() async -> ConditionVerdict {
    verdict(of: await look(.last)) { _ in false }
  }

  @inline(never)
  private func verdict(of results: Results, isCurable: (Int) -> Bool) -> ConditionVerdict {
    var verdict = ConditionVerdict()
    results.forEach { place, result in
      verdict.add(result, of: conditions[place].name, isCurable: isCurable(place))
    }
    return verdict
  }

  @inline(never)
  private mutating func run(_ remedies: [(any Operation)?], after results: Results) async -> ConditionVerdict
  {
    endings = Array(repeating: nil, count: conditions.count)
    var results = results
    for (place, remedy) in remedies.enumerated() {
      guard let remedy else { continue }
      guard let ending = await run(remedy, forConditionAt: place) else { break }
      endings[place] = ending
      let result = await evaluate(place, .afterRemedy)
      results.set(result, at: place)
      guard case .satisfied = result else { break }
    }
    record.tell(.remediesEnded)
    return verdict(of: results) { _ in false }
  }

  /// The remedies of conditions that do not hold and can be cured, and of those that want it always.
  private func makeRemedies(for results: Results) -> [(any Operation)?] {
    var remedies: [(any Operation)?] = Array(repeating: nil, count: conditions.count)
    results.forEach { place, result in
      if result.wantsRemedy(of: conditions[place]) { remedies[place] = conditions[place].makeRemedy() }
    }
    return remedies
  }

  /// Runs a remedy, and says how it ended; `nil` if it was not added, because the operation has ended meanwhile.
  private func run(_ remedy: any Operation, forConditionAt place: Int) async -> OperationEnding? {
    guard let reference = record.queue.addRemedy(remedy, for: record, conditionAt: place) else { return nil }
    record.tell(.remedyStarted(condition: conditions[place].name, remedy: reference))
    record.queue.exclusion.detector.waitBegan()
    let ending = await reference.record.end()
    record.details?.endRemedy()
    return ending
  }

  /// Looks at all that need it, at once.
  private func look(_ look: ConditionContext.Look) async -> Results {
    if let place = record.details?.soleCondition { return .one(place, await evaluate(place, look)) }
    return await lookAtSeveral(look)
  }

  @inline(never)
  private func lookAtSeveral(_ look: ConditionContext.Look) async -> Results {
    await withTaskGroup(of: (Int, ConditionResult).self) { group in
      for place in conditions.indices where !conditions[place].isAlwaysSatisfied {
        group.addTask { (place, await evaluate(place, look)) }
      }
      return .all(
        await group.reduce(into: Array(repeating: .satisfied, count: conditions.count)) { results, found in
          results[found.0] = found.1
        })
    }
  }

  private func evaluate(_ place: Int, _ look: ConditionContext.Look) async -> ConditionResult {
    let context = ConditionContext(
      look: look, operation: OperationReference(record: record),
      remedyEnding: endings.isEmpty ? nil : endings[place])
    return await conditions[place].evaluate(context)
  }
}

extension ConditionLooks {
  /// What a look found, by the condition's place. Most operations have one condition, and then no array is needed.
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

    /// Whether there is nothing to cure, and no remedy that runs in any case.
    func allSatisfied(by conditions: [any OperationCondition]) -> Bool {
      var isSatisfied = true
      forEach { place, result in
        isSatisfied = isSatisfied && result.isSatisfied && !conditions[place].remedyAlwaysRuns
      }
      return isSatisfied
    }
  }
}

extension ConditionResult {
  fileprivate func wantsRemedy(of condition: any OperationCondition) -> Bool {
    switch self {
    case .satisfied: condition.remedyAlwaysRuns
    case .failed(_, let curable): curable
    case .skipped: false
    }
  }
}
