/// The steps that an operation has taken, packed into one word; a stream that is asked for later replays them.
struct EventHistory: Sendable {
  private var packed: UInt64 = 0

  /// Four bits a step; no operation takes more than the sixteen that there is room for.
  mutating func append(_ step: OperationStep) { packed = packed << 4 | UInt64(step.rawValue) }

  /// How many steps there were.
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

/// The steps that an operation's history is made of.
enum OperationStep: UInt8, Sendable {
  case added = 1
  case dependenciesEnded
  case evaluating
  case waitingForTurn
  case waitingForExclusion
  case executing
  case cancelRequested
  case ended

  /// The event that tells the step; `nil` for an end without an outcome, which does not happen.
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
