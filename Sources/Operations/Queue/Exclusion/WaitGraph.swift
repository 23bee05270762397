/// A value type that stores the waits of operations for one another, and finds the waits that can never end.
struct WaitGraph: Sendable {
  struct Wait: Sendable, Hashable {
    let who: OperationReference
    let whom: OperationReference
    let reason: Reason
  }

  enum Reason: Sendable, Hashable {
    case dependency
    case child
    case remedy
    /// The executing work of `who` awaits the value or the outcome of `whom`.
    case outcome
    case category(ExclusionCategory, isHeld: Bool)
    case place(queue: String)
  }

  /// The operations that wait for a place in a queue, and those that hold the queue's places. Some holders
  /// must give up their places before a waiting operation can continue.
  struct Places: Sendable {
    let queue: OperationQueue
    /// The waiting operations, each with the number of times that it has missed its turn. This number
    /// distinguishes a wait from a later wait of the same operation.
    var waiters: [OperationReference: UInt8]
    var holders: Set<OperationReference>
    /// The number of holders that must give up their places before a waiting operation can have one.
    var missing: Int
  }

  /// The waits in all involved queues and schedulers. The queues and schedulers are read one after the other.
  struct Reading: Sendable {
    var waits: Set<Wait> = []
    var places: [Places] = []
  }

  /// The waits that can never end.
  private var waits: [OperationReference: [Wait]] = [:]
  private var places: [Places] = []

  /// Creates a graph of the never-ending waits in a reading. Takes time proportional to the number of waits.
  init(_ reading: Reading) {
    for wait in reading.waits { waits[wait.who, default: []].append(wait) }
    places = reading.places
    var search = Search(waits, places)
    let stuck = search.stuck()
    waits = waits.filter { stuck.contains($0.key) }.mapValues { $0.filter { stuck.contains($0.whom) } }
    for index in places.indices {
      places[index].waiters = places[index].waiters.filter { stuck.contains($0.key) }
      places[index].holders.formIntersection(stuck)
    }
  }

  /// Returns a path of never-ending waits from an operation back to itself; `nil` if there is no such path.
  func cycle(through start: OperationReference) -> [Wait]? {
    var cameBy: [OperationReference: Wait] = [:]
    var frontier = [start]
    var rest = places
    while let who = frontier.popLast() {
      // All operations that wait for a place in the same queue wait for the same holders, so each queue is
      // visited only once.
      let taken = rest.filter { $0.waiters[who] != nil }
      rest.removeAll { $0.waiters[who] != nil }
      for wait in (waits[who] ?? []) + taken.flatMap({ $0.waits(of: who) }) where cameBy[wait.whom] == nil {
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

extension WaitGraph {
  /// A search for the operations that can never continue. It repeatedly simulates the end of an operation
  /// that waits for no other, until no such operation is left.
  private struct Search {
    private let places: [Places]
    /// The number of waits that each operation still has.
    private var missing: [OperationReference: Int]
    /// The number of places in each queue that must still become free before waiting operations can continue.
    private var missingPlaces: [Int]
    private var waiters: [OperationReference: [OperationReference]] = [:]
    private var holdings: [OperationReference: Int] = [:]
    private var ending: Set<OperationReference> = []

    init(_ waits: [OperationReference: [Wait]], _ places: [Places]) {
      self.places = places
      missing = waits.mapValues(\.count)
      missingPlaces = places.map(\.missing)
      for wait in waits.values.joined() { waiters[wait.whom, default: []].append(wait.who) }
      for (index, queue) in places.enumerated() {
        for waiter in queue.waiters.keys { missing[waiter, default: 0] += 1 }
        for holder in queue.holders { holdings[holder] = index }
      }
      ending = Set(waiters.keys).union(holdings.keys).filter { missing[$0] == nil }
    }

    mutating func stuck() -> Set<OperationReference> {
      while let operation = ending.popFirst() {
        for waiter in waiters[operation] ?? [] { goOn(waiter) }
        if let index = holdings[operation] { leavePlace(index) }
      }
      return Set(missing.keys)
    }

    private mutating func leavePlace(_ index: Int) {
      missingPlaces[index] -= 1
      guard missingPlaces[index] == 0 else { return }
      for waiter in places[index].waiters.keys { goOn(waiter) }
    }

    private mutating func goOn(_ waiter: OperationReference) {
      guard let count = missing[waiter] else { return }
      missing[waiter] = count > 1 ? count - 1 : nil
      if count == 1 { ending.insert(waiter) }
    }
  }
}

extension WaitGraph.Places {
  fileprivate func waits(of waiter: OperationReference) -> [WaitGraph.Wait] {
    holders.map { WaitGraph.Wait(who: waiter, whom: $0, reason: .place(queue: queue.name)) }
  }

  /// Returns the operations that wait in both readings, and the holders from both together. No holder is left out,
  /// because any of them might let a waiting operation continue.
  fileprivate func persisting(in later: Self) -> Self {
    var both = self
    both.waiters = waiters.filter { later.waiters[$0.key] == $0.value }
    both.holders.formUnion(later.holders)
    both.missing = min(missing, later.missing)
    return both
  }
}

extension WaitGraph.Reading {
  /// Returns the waits that are in both readings. These waits have lasted from one reading to the other: a wait that
  /// has ended never begins again as the same wait.
  func persisting(in later: Self) -> Self {
    let places = places.compactMap { earlier in
      later.places.first { $0.queue === earlier.queue }.map { earlier.persisting(in: $0) }
    }
    return Self(waits: waits.intersection(later.waits), places: places)
  }
}

/// The error of an operation that could never have continued, because it was waiting for itself, directly or
/// through other operations.
public struct WaitCycle: Error, CustomStringConvertible {
  /// The waits in the cycle as sentences. The last wait leads back to the first operation.
  public let steps: [String]

  public init(steps: [String]) { self.steps = steps }

  public var description: String {
    "These operations would wait for one another forever: \(steps.joined(separator: "; "))."
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
    case .place(let queue):
      "“\(who.name)” waits for a place in the queue “\(queue)”, taken by “\(whom.name)”"
    }
  }
}
