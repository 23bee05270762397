/// The steps that an operation has taken, packed into one word, to be replayed to later streams.
struct EventHistory: Sendable {
  private var packed: UInt64 = 0

  /// Adds a step, in four bits. There is room for sixteen; if an operation waits for its turn again and again, the
  /// later waits are left out to make room for the three steps that may follow.
  @inline(__always)
  mutating func append(_ step: OperationStep) {
    let isWait = step == .waitingForTurn || step == .waitingForExclusion
    if isWait && count >= Self.room - 3 { return }
    packed = packed << 4 | UInt64(step.rawValue)
  }

  private static var room: Int { UInt64.bitWidth / 4 }

  /// The number of steps.
  var count: Int { (UInt64.bitWidth - packed.leadingZeroBitCount + 3) / 4 }

  /// The steps, first one first.
  var steps: [OperationStep] {
    var steps: [OperationStep] = []
    var rest = packed
    while let step = OperationStep(rawValue: UInt8(rest & 0xF)) {
      steps.append(step)
      rest >>= 4
    }
    return steps.reversed()
  }
}

/// A step in an operation's history.
enum OperationStep: UInt8, Sendable {
  case added = 1
  case dependenciesEnded
  case evaluating
  case waitingForTurn
  case waitingForExclusion
  case executing
  case cancelRequested
  case ended

  /// Returns the event for the step; `nil` for an end without an outcome, which does not happen.
  func event(outcome: OperationOutcome?) -> OperationEvent? {
    switch self {
    case .added: .added
    case .dependenciesEnded: .dependenciesEnded
    case .evaluating: .evaluatingConditions
    case .waitingForTurn: .waitingForTurn
    case .waitingForExclusion: .waitingForExclusion
    case .executing: .executing
    case .cancelRequested: .cancelRequested
    case .ended: outcome.map { .ended($0) }
    }
  }
}
