/// Checks the conditions of one operation, and runs the remedies of those that do not hold.
struct ConditionLooks {
  let record: OperationRecord
  let conditions: [any OperationCondition]
  /// The endings of the remedies, by the condition's index; empty if none ran.
  private(set) var endings: [OperationEnding?] = []

  /// First checks all conditions without remedies. Unless one fails that no remedy can cure, the remedies of those that
  /// do not hold run in order, each followed by a check of its condition.
  mutating func lookAndRemedy() async -> ConditionVerdict {
    switch next(after: await look(.first)) {
    case .done(let verdict): return verdict
    case .cure(let remedies, let results): return await run(remedies, after: results)
    }
  }

  /// The consequence of the first look.
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

  /// Checks all conditions once more, after all waiting.
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

  /// Returns the remedies of conditions that do not hold and can be cured, and of those that always run theirs.
  private func makeRemedies(for results: Results) -> [(any Operation)?] {
    var remedies: [(any Operation)?] = Array(repeating: nil, count: conditions.count)
    results.forEach { place, result in
      if result.wantsRemedy(of: conditions[place]) { remedies[place] = conditions[place].makeRemedy() }
    }
    return remedies
  }

  /// Runs a remedy and returns its ending, or `nil` if it was not added because the operation has ended meanwhile.
  private func run(_ remedy: any Operation, forConditionAt place: Int) async -> OperationEnding? {
    guard let reference = record.queue.addRemedy(remedy, for: record, conditionAt: place) else { return nil }
    record.tell(.remedyStarted(condition: conditions[place].name, remedy: reference))
    record.queue.exclusion.detector.waitBegan()
    let ending = await reference.record.end()
    record.details?.endRemedy()
    return ending
  }

  /// Checks all conditions that need it, concurrently.
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
  /// The results of a look, by the condition's index. Most operations have one condition and so need no array.
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

    /// Whether there is nothing to cure, and no remedy that runs regardless.
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
