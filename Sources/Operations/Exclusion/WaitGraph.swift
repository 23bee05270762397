/// Who waits for whom: a value in which waits that can never end are found.
struct WaitGraph: Sendable {
  /// One operation waits for another.
  struct Wait: Sendable, Hashable {
    let who: OperationReference
    let whom: OperationReference
    let reason: Reason
  }

  enum Reason: Sendable, Hashable {
    case dependency
    case child
    case remedy
    /// The work of one awaits the other's value or outcome.
    case outcome
    case category(ExclusionCategory, isHeld: Bool)
  }

  private var waits: [OperationReference: [Wait]] = [:]

  init(_ waits: [Wait]) {
    for wait in waits { self.waits[wait.who, default: []].append(wait) }
  }

  /// A way that leads from an operation back to itself. Takes time with the number of waits.
  func cycle(through start: OperationReference) -> [Wait]? {
    var cameBy: [OperationReference: Wait] = [:]
    var frontier = [start]
    while let who = frontier.popLast() {
      for wait in waits[who] ?? [] where cameBy[wait.whom] == nil {
        cameBy[wait.whom] = wait
        if wait.whom == start { return way(to: start, cameBy) }
        frontier.append(wait.whom)
      }
    }
    return nil
  }

  private func way(to end: OperationReference, _ cameBy: [OperationReference: Wait]) -> [Wait] {
    var way: [Wait] = []
    var place = end
    while let wait = cameBy[place] {
      way.append(wait)
      place = wait.who
      if place == end { break }
    }
    return way.reversed()
  }
}

/// A wait that could never have ended: the operation that fails with this waited, in the end, for itself.
public struct WaitCycle: Error, CustomStringConvertible {
  /// Who waited for whom, as sentences; the last leads back to the first.
  public let steps: [String]

  init(_ waits: [WaitGraph.Wait]) { steps = waits.map(\.description) }

  public var description: String {
    "These operations would wait for one another for ever: \(steps.joined(separator: "; "))."
  }
}

extension WaitGraph.Wait: CustomStringConvertible {
  var description: String {
    switch reason {
    case .dependency: "“\(who.name)” waits for “\(whom.name)” to end"
    case .child: "“\(who.name)” waits for its child “\(whom.name)”"
    case .outcome: "“\(who.name)” awaits the outcome of “\(whom.name)”"
    case .remedy: "“\(who.name)” waits for its remedy “\(whom.name)”"
    case .category(let category, let isHeld):
      "“\(who.name)” waits for “\(category)”, \(isHeld ? "held" : "wanted first") by “\(whom.name)”"
    }
  }
}
