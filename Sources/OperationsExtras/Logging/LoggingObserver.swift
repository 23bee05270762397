public import Logging
public import Operations

/// An observer that writes an operation's steps to a log, with the operation's name and identity as metadata.
///
/// A step is written only if its level reaches both this observer's threshold and the logger's own level.
public struct LoggingObserver: OperationObserver {
  private let logger: Logger
  private let threshold: Logger.Level
  private let level: @Sendable (OperationEvent) -> Logger.Level
  private let followsChildren: Bool

  /// - Parameters:
  ///   - threshold: The lowest level at which steps are written.
  ///   - followsChildren: Whether the operation's children, its remedies, and the operations that it adds are also
  ///     logged.
  ///   - level: A closure that returns the level of a step.
  public init(
    _ logger: Logger = Logger(label: "operations"), threshold: Logger.Level = .trace,
    followsChildren: Bool = false,
    level: @escaping @Sendable (OperationEvent) -> Logger.Level = { $0.defaultLevel }
  ) {
    self.logger = logger
    self.threshold = threshold
    self.followsChildren = followsChildren
    self.level = level
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) {
    let level = level(event)
    guard level >= threshold, level >= logger.logLevel else { return }
    logger.log(
      level: level, "\(event.words)", metadata: ["operation": "\(operation.name)", "id": "\(operation.id)"])
  }

  public func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? {
    followsChildren ? self : nil
  }
}

extension OperationEvent {
  /// The default level of a step: error for a failure, notice for a cancellation or a skip, debug for the start of the
  /// work and for success, and trace for all other steps.
  public var defaultLevel: Logger.Level {
    switch self {
    case .ended(.failed): .error
    case .ended(.cancelled), .ended(.skipped): .notice
    case .ended(.succeeded), .executing: .debug
    default: .trace
    }
  }

  /// A description of the step in words.
  package var words: String {
    switch self {
    case .added: "was added"
    case .dependenciesEnded: "its dependencies have ended"
    case .evaluatingConditions: "looks at its conditions"
    case .remedyStarted(let condition, let remedy): "runs “\(remedy.name)” so that \(condition) is met"
    case .remediesEnded: "no remedy is left to run"
    case .waitingForTurn: "waits for its turn in the queue"
    case .waitingForExclusion: "waits for a category that another operation holds"
    case .executing: "executes"
    case .produced(let operation): "added “\(operation.name)”"
    case .cancelRequested: "was asked to end"
    case .ended(let outcome): "\(outcome)"
    }
  }
}
