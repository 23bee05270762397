import Machine

// Explains in words why an operation has not run yet, and collects the waits that the search for cycles needs.

extension OperationQueue {
  func explanation(of record: OperationRecord) -> String {
    explanation(of: record, inLine: exclusion.explanation)
  }

  /// - Parameter inLine: Returns the words about a ticket that waits for its categories.
  func explanation(of record: OperationRecord, inLine: (SlotID) -> String) -> String {
    guard let situation = state.withLock({ $0.situation(of: record.id) }) else {
      return record.outcome.map(\.description) ?? "is ending"
    }
    switch situation.phase {
    case .blocked: return "waits for \(list(situation.dependencies)) to end"
    case .held: return "waits because the queue “\(name)” is suspended"
    case .waitingForPlace where situation.isSuspended: return "waits because the queue “\(name)” is suspended"
    case .waitingForPlace:
      return "waits because \(situation.width) of \(situation.width) places in the queue “\(name)” are taken"
    case .waitingForTask, .launched: return "waits for a thread"
    case .looking, .lastLook: return conditions(of: record)
    case .asking: return "asks for its categories"
    case .inLine: return inLine(situation.ticket)
    case .executing: return "executes"
    }
  }

  private func conditions(of record: OperationRecord) -> String {
    guard let details = record.details else { return "its conditions are being evaluated" }
    if let (remedy, condition) = details.remedy {
      return "waits for “\(remedy.name)”, the remedy of \(condition.name), which \(remedy.explanation)"
    }
    return "its conditions are being evaluated: \(details.conditions.map(\.name).joined(separator: ", "))"
  }

  private func list(_ records: [OperationRecord]) -> String {
    let names = records.prefix(3).map { "“\($0.name)”" }
    let rest = records.count - names.count
    guard let last = names.last else { return "its dependencies" }
    if rest > 0 { return names.joined(separator: ", ") + " and \(rest) more" }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Adds all waits of this queue's operations to a reading, except their waits for categories. Takes time
  /// proportional to the number of operations and dependencies.
  func addWaits(to reading: inout WaitGraph.Reading) {
    let (dependencies, items, crowd) = state.withLock { ($0.dependencies, $0.items, $0.crowd) }
    for (who, whom) in dependencies {
      reading.waits.insert(
        WaitGraph.Wait(who: .init(record: who), whom: .init(record: whom), reason: .dependency))
    }
    for record in items {
      let operation = OperationReference(record: record)
      if let parent = record.details?.parent {
        reading.waits.insert(WaitGraph.Wait(who: parent, whom: operation, reason: .child))
      }
      if let remedy = record.details?.remedy?.operation {
        reading.waits.insert(WaitGraph.Wait(who: operation, whom: remedy, reason: .remedy))
      }
    }
    if let crowd { reading.places.append(WaitGraph.Places(queue: self, crowd)) }
  }
}

extension WaitGraph.Places {
  fileprivate init(queue: OperationQueue, _ crowd: OperationQueue.State.Crowd) {
    self.queue = queue
    waiters = Dictionary(
      uniqueKeysWithValues: crowd.waiters.map { (OperationReference(record: $0.item), $0.turnsMissed) })
    holders = Set(crowd.holders.map(OperationReference.init))
    missing = crowd.missing
  }
}

extension Duration {
  /// The duration in words, rounded down to a whole number of milliseconds, seconds, minutes or hours.
  var inWords: String {
    let seconds = components.seconds
    switch seconds {
    case ..<1: return "\(components.attoseconds / 1_000_000_000_000_000) ms"
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    default: return "\(seconds / 3_600) h"
    }
  }
}
