/// The steps that an operation has taken, packed into one machine word. They are replayed to streams that begin later.
struct EventHistory: Sendable {
  private var packed: UInt64 = 0

  /// Adds a step, which takes up four bits. There is space for sixteen steps. If an operation waits very often, its
  /// later waits are not recorded, so that space remains for its last three steps.
  @inline(__always)
  mutating func append(_ step: OperationStep) {
    let isWait = step == .waitingForTurn || step == .waitingForExclusion
    if isWait && count >= Self.room - 3 { return }
    packed = packed << 4 | UInt64(step.rawValue)
  }

  private static var room: Int { UInt64.bitWidth / 4 }

  var count: Int { (UInt64.bitWidth - packed.leadingZeroBitCount + 3) / 4 }

  /// The steps, in the order in which they were taken.
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

enum OperationStep: UInt8, Sendable {
  case added = 1
  case dependenciesEnded
  case evaluating
  case waitingForTurn
  case waitingForExclusion
  case executing
  case cancelRequested
  case ended

  /// Returns the event for the step. Returns `nil` only for an end without an outcome, which never happens.
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
