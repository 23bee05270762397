public import Operations

/// A record of the times at which an operation reached its steps. It also contains the profiles of the operation's
/// children, its remedies, and the operations that it added.
public struct OperationProfile: Sendable {
  /// A step, and the time at which the operation reached it.
  public struct Mark: Sendable {
    public let event: OperationEvent
    /// The time from the creation of the profiler to the step.
    public let time: Duration

    public init(_ event: OperationEvent, at time: Duration) {
      self.event = event
      self.time = time
    }
  }

  public let name: String
  public let id: OperationID

  /// All steps in chronological order. If the operation has ended, its end is the last step.
  public internal(set) var marks: [Mark] = []

  /// The profiles of the operation's children, its remedies, and the operations that it added, in the order in which
  /// they were added.
  public internal(set) var children: [OperationProfile] = []

  public init(name: String, id: OperationID, marks: [Mark] = [], children: [OperationProfile] = []) {
    self.name = name
    self.id = id
    self.marks = marks
    self.children = children
  }

  /// The time at which the operation was added to its queue.
  public var attached: Duration? { marks.first?.time }

  /// The time at which the operation's work started; `nil` if the work never started.
  public var started: Duration? {
    marks.first { if case .executing = $0.event { true } else { false } }?.time
  }

  /// The time at which the executing operation was asked to end; `nil` if it was never asked.
  public var cancelled: Duration? {
    marks.first { if case .cancelRequested = $0.event { true } else { false } }?.time
  }

  /// The time at which the operation ended; `nil` if it has not ended.
  public var finished: Duration? { outcome == nil ? nil : marks.last?.time }

  /// The outcome of the operation; `nil` if it has not ended.
  public var outcome: OperationOutcome? {
    if case .ended(let outcome)? = marks.last?.event { outcome } else { nil }
  }
}

extension OperationProfile: CustomStringConvertible {
  /// The profile as one line for the operation, followed by indented lines for its children.
  public var description: String {
    let times = marks.map { "\($0.time) \($0.event.words)" }.joined(separator: ", ")
    let lines = children.flatMap { $0.description.split(separator: "\n") }.map { "  \($0)" }
    return (["\(name): \(times)"] + lines).joined(separator: "\n")
  }
}

/// A receiver of profiles, which prints, stores or sends them.
public protocol OperationProfileReporter: Sendable {
  /// Receives the profile of an operation to which the profiler was attached. The method is called once for each such
  /// operation, after all operations in the profile have ended.
  func report(_ profile: OperationProfile)
}
