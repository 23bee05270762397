import Logging
import Operations
import OperationsExtras
import Testing

@Suite("Logging")
struct LoggingTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  private func logger(_ log: Log, _ level: Logger.Level = .trace) -> Logger {
    var logger = Logger(label: "test") { _ in LogLines(log: log) }
    logger.logLevel = level
    return logger
  }

  @Test("Every step is written with its severity and the operation's name")
  func steps() async throws {
    let log = Log()
    let handle = queue.add(
      BlockOperation("copy") { _ in }, conditions: [MutuallyExclusive("disk"), BlockCondition { true }],
      options: .init(observers: [LoggingObserver(logger(log))]))
    try await handle.value
    #expect(
      log.lines == [
        "trace copy was added", "trace copy its dependencies have ended",
        "trace copy looks at its conditions",
        "debug copy executes", "debug copy succeeded",
      ])
  }

  @Test("Failures are errors, cancelled and skipped are notices")
  func severities() async throws {
    let log = Log()
    let observers = [LoggingObserver(logger(log), threshold: .notice)]
    _ = await queue.add("a", options: .init(observers: observers)) { _ in throw Failure("disk") }.outcome
    _ = await queue.add("b", options: .init(observers: observers)) { _ in throw CancellationError() }.outcome
    _ = await queue.add("c", options: .init(observers: observers)) { _ in
      throw OperationSkipped(reason: "night")
    }.outcome
    #expect(
      log.lines == [
        "error a failed: \(Failure("disk"))", "notice b was cancelled", "notice c was skipped: night",
      ])
  }

  @Test("The threshold is the observer's and the logger's, whichever is higher")
  func thresholds() async throws {
    let (strict, lenient) = (Log(), Log())
    let observers = [
      LoggingObserver(logger(strict, .error)), LoggingObserver(logger(lenient, .debug), threshold: .trace),
    ]
    try await queue.add("a", options: .init(observers: observers)) { _ in }.value
    #expect(strict.lines.isEmpty)
    #expect(lenient.lines == ["debug a executes", "debug a succeeded"])
  }

  @Test("Severities can be chosen")
  func chosen() async throws {
    let log = Log()
    let observer = LoggingObserver(logger(log), threshold: .warning) { event in
      if case .ended(.succeeded) = event { .critical } else { .info }
    }
    try await queue.add("a", options: .init(observers: [observer])) { _ in }.value
    #expect(log.lines == ["critical a succeeded"])
  }

  @Test("Children, added operations and remedies are logged where that is wanted")
  func children() async throws {
    let log = Log()
    let needy = Scripted("needy", [.failing("needy", curable: true), .satisfied]) {
      BlockOperation("ask") { _ in }
    }
    let handle = queue.add(
      "parent", conditions: [needy],
      options: .init(observers: [LoggingObserver(logger(log), threshold: .debug, followsChildren: true)])
    ) { context in
      try await context.run(BlockOperation("child") { _ in })
      try await context.produce(BlockOperation("added") { _ in }).value
    }
    try await handle.value
    #expect(
      log.lines == [
        "debug ask executes", "debug ask succeeded", "debug parent executes", "debug child executes",
        "debug child succeeded", "debug added executes", "debug added succeeded", "debug parent succeeded",
      ])
  }
}

/// Writes log messages into a test's log.
private struct LogLines: LogHandler {
  let log: Log
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(log: Log) { self.log = log }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let name = event.metadata?["operation"].map { "\($0)" } ?? "?"
    log.write("\(event.level) \(name) \(event.message)")
  }
}
