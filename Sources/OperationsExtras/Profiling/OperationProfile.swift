public import Operations

/// The times at which an operation took its steps, with the profiles of the operations that it brought about.
public struct OperationProfile: Sendable {
  /// A step, and the time at which it was taken.
  public struct Mark: Sendable {
    public let event: OperationEvent
    /// The time since the profiler was created.
    public let time: Duration

    public init(_ event: OperationEvent, at time: Duration) {
      self.event = event
      self.time = time
    }
  }

  public let name: String
  public let id: OperationID

  /// All steps in order, the end last.
  public internal(set) var marks: [Mark] = []

  /// Children, operations that it added, and remedies, in the order in which they were added.
  public internal(set) var children: [OperationProfile] = []

  public init(name: String, id: OperationID, marks: [Mark] = [], children: [OperationProfile] = []) {
    self.name = name
    self.id = id
    self.marks = marks
    self.children = children
  }

  /// The time at which it was added to its queue.
  public var attached: Duration? { marks.first?.time }

  /// The time at which its work started; `nil` if it never did.
  public var started: Duration? {
    marks.first { if case .executing = $0.event { true } else { false } }?.time
  }

  /// The time at which it was asked to end while it executed.
  public var cancelled: Duration? {
    marks.first { if case .cancelRequested = $0.event { true } else { false } }?.time
  }

  /// The time at which it ended.
  public var finished: Duration? { outcome == nil ? nil : marks.last?.time }

  /// The outcome; `nil` before it has ended.
  public var outcome: OperationOutcome? {
    if case .ended(let outcome)? = marks.last?.event { outcome } else { nil }
  }
}

extension OperationProfile: CustomStringConvertible {
  /// A line for the operation, followed by indented lines for its children.
  public var description: String {
    let times = marks.map { "\($0.time) \($0.event.words)" }.joined(separator: ", ")
    let lines = children.flatMap { $0.description.split(separator: "\n") }.map { "  \($0)" }
    return (["\(name): \(times)"] + lines).joined(separator: "\n")
  }
}

/// A receiver of profiles, which prints, stores or sends them.
public protocol OperationProfileReporter: Sendable {
  /// Called once for each operation that the profiler was attached to, when it and all operations that it brought about
  /// have ended.
  func report(_ profile: OperationProfile)
}
