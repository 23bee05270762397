import Machine

/// Questions of one process that follow each other closely, and are answered from memory. They are answered on a single
/// thread, which reads and writes the connection itself: handing each question and its reply from thread to thread
/// would take as long as answering.
///
/// If a file system does not respond, the thread is left behind, and ``takeBack(after:)`` returns its line.
final class DenoBurst: Sendable {
  /// The part of the conversation that the thread leaves to others.
  struct Rest: Sendable {
    /// The line that could not be answered from memory; `nil` if no line has arrived completely.
    var line: DenoLine?
    var buffer: DenoLineBuffer
  }

  fileprivate struct State {
    /// The line that is being answered, and the time at which it began; `nil` while waiting for one, and at the end.
    var current: (line: DenoLine, began: ContinuousClock.Instant)?
    var buffer: DenoLineBuffer
    var isOver = false
  }

  /// The time, in milliseconds, for which the thread waits for another question.
  private static let pause: Int32 = 1
  /// The time after which the thread turns to other conversations.
  private static let turn = Duration.milliseconds(20)

  private let session: DenoSession
  private let connection: SocketCopy
  private let state: Lock<State>

  /// Creates a burst that begins with a line.
  ///
  /// - Parameter buffer: The bytes that have arrived after the line.
  init(_ session: DenoSession, _ connection: SocketCopy, _ line: DenoLine, _ buffer: DenoLineBuffer) {
    (self.session, self.connection) = (session, connection)
    state = Lock(State(current: (line, .now), buffer: buffer))
  }

  /// Answers lines until one of them cannot be answered from memory, or none follows. Returns `nil` if a line has been
  /// taken back.
  func run() -> Rest? {
    let end = ContinuousClock.now + Self.turn
    while let line = state.withLock({ $0.isOver ? nil : $0.current?.line }) {
      let reply = session.answerNow(line)
      // From now on, the line is not taken back.
      guard state.withLock({ $0.markAnswered() }) else { return nil }
      guard let reply, connection.send(reply) else { return rest(line) }
      guard ContinuousClock.now < end, !session.isCrowded, takeNextLine() else { return rest(nil) }
    }
    return nil
  }

  /// Waits for the next line. Returns `false` if it does not follow closely.
  private func takeNextLine() -> Bool {
    if state.withLock({ $0.beginNext() }) { return true }
    let bytes = connection.receive(within: Self.pause)
    return state.withLock { state in
      state.buffer.append(bytes)
      return state.beginNext()
    }
  }

  private func rest(_ line: DenoLine?) -> Rest {
    state.withLock { state in
      state.isOver = true
      return Rest(line: line, buffer: state.buffer)
    }
  }

  /// Takes back the line that has been waiting for its reply for some time, and ends the burst. Returns `nil` if there
  /// is no such line.
  func takeBack(after patience: Duration) -> Rest? {
    state.withLock { state in
      guard !state.isOver, let current = state.current, current.began + patience <= .now else { return nil }
      state.isOver = true
      return Rest(line: current.line, buffer: state.buffer)
    }
  }
}

extension DenoBurst.State {
  /// Marks the current line as answered. Returns `false` if it has been taken back.
  fileprivate mutating func markAnswered() -> Bool {
    current = nil
    return !isOver
  }

  fileprivate mutating func beginNext() -> Bool {
    guard let line = buffer.next() else { return false }
    current = (line, .now)
    return true
  }
}
