public import Operations

/// When an operation took its steps, and when those did that it brought about.
public struct OperationProfile: Sendable {
  /// A step, and when it was taken.
  public struct Mark: Sendable {
    public let event: OperationEvent
    /// Counted from the making of the profiler.
    public let time: Duration
  }

  public let name: String
  public let id: OperationID

  /// All steps in order, the end last.
  public internal(set) var marks: [Mark] = []

  /// Children, operations that it added and remedies, in the order of adding.
  public internal(set) var children: [OperationProfile] = []

  /// When it was added to its queue.
  public var attached: Duration? { marks.first?.time }

  /// When its work started; `nil` if it never did.
  public var started: Duration? {
    marks.first { if case .executing = $0.event { true } else { false } }?.time
  }

  /// When it was asked to end while it executed.
  public var cancelled: Duration? {
    marks.first { if case .cancelRequested = $0.event { true } else { false } }?.time
  }

  /// When it ended.
  public var finished: Duration? { outcome == nil ? nil : marks.last?.time }

  /// How it ended.
  public var outcome: OperationOutcome? {
    if case .ended(let outcome)? = marks.last?.event { outcome } else { nil }
  }
}

extension OperationProfile: CustomStringConvertible {
  /// A line for the operation, and below it indented ones for its children.
  public var description: String {
    let times = marks.map { "\($0.time) \($0.event.words)" }.joined(separator: ", ")
    let lines = children.flatMap { $0.description.split(separator: "\n") }.map { "  \($0)" }
    return (["\(name): \(times)"] + lines).joined(separator: "\n")
  }
}

/// Takes profiles and does something with them: prints, stores, sends.
public protocol OperationProfileReporter: Sendable {
  /// Is called once for each operation that the profiler was attached to, when it and all that it brought about
  /// have ended.
  func report(_ profile: OperationProfile)
}
