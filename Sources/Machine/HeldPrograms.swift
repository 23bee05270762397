import Glibc

/// A program that runs only to be there, for example as a process that a person can look at in a demo.
///
/// It must end when its input ends, which happens when this object goes away, even if this process is killed.
package final class PlaceholderProcess: Sendable {
  package let process: Int32
  private let input: Int32

  /// Starts a program. It is looked up in the folders of `PATH`.
  package init(_ arguments: [String]) throws(SystemError) {
    guard let ends = UnixSockets.pair() else { throw SystemError("socketpair") }
    defer { close(ends.other) }
    do {
      process = try Program.start(arguments, input: ends.other, output: nil)
      input = ends.own
    } catch {
      close(ends.own)
      throw error
    }
  }

  deinit {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

/// A running program with which this process speaks, for example ssh. It is ended and reaped when this object goes away,
/// or earlier.
///
/// It has a session of its own, so that it asks nothing at the terminal, and gets no ^C that is meant for this process.
package final class SpokenProgram: Sendable {
  /// Its standard input and output: a socket, as to a program that listens.
  package let stream: Int32
  package let messages: MessageTail
  /// The process; `nil` once it was reaped.
  private let process: Lock<Int32?>

  /// Starts a program. It is looked up in the folders of `PATH`.
  package init(_ arguments: [String]) throws(SystemError) {
    guard let ends = UnixSockets.pair() else { throw SystemError("socketpair") }
    defer { close(ends.other) }
    guard let errors = UnixSockets.pair() else {
      defer { close(ends.own) }
      throw SystemError("socketpair")
    }
    defer { close(errors.other) }
    (stream, messages) = (ends.own, MessageTail(errors.own))
    do throws(SystemError) {
      let started = try Program.start(
        arguments, input: ends.other, output: ends.other, errors: errors.other)
      process = Lock(started)
    } catch {
      close(ends.own)
      throw error
    }
  }

  deinit {
    close(stream)
    guard let process = process.withLock({ $0 }) else { return }
    Self.signal(process, SIGTERM)
    // It usually ends at once. A thread waits for it, so that no caller does.
    if !BlockingThread.start({ Self.reap(process, patience: 1_000) }) { Self.reap(process, patience: 0) }
  }

  /// Writes to the program. If it has ended, nothing is written, and no signal comes.
  package func send(_ bytes: [UInt8]) { _ = Glibc.send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Writes to the program without waiting. Returns `false` if the program does not take all of it, because it has ended or
  /// does not read.
  package func sendAtOnce(_ bytes: [UInt8]) -> Bool {
    Glibc.send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == bytes.count
  }

  /// Waits for bytes of the program. Returns `nil` once it has ended, or if the task was cancelled.
  package func received() async -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while !Task.isCancelled {
      let count = recv(stream, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count > 0 { return chunk[..<count] }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return nil }
      await Readable.wait(for: stream)
    }
    return nil
  }

  /// Makes the program end soon, so that the reader of the stream finds its end.
  package func terminate() {
    process.withLock { if let process = $0 { Self.signal(process, SIGTERM) } }
  }

  /// Waits for the end of the program, whose stream has ended, and returns its status as `waitpid` has it; 0 if it was
  /// reaped before. One that goes on is killed.
  package func end() -> Int32 {
    guard let running = process.withLock({ $0 }) else { return 0 }
    let status = Self.reap(running, patience: 2_000)
    process.withLock { $0 = nil }
    messages.take()
    return status
  }

  /// The same session holds the helpers of the program, such as a `ProxyCommand` of ssh.
  private static func signal(_ process: Int32, _ signal: Int32) {
    kill(-process, signal)
  }

  /// - Parameter patience: The time for an end by itself, in milliseconds.
  @discardableResult
  private static func reap(_ process: Int32, patience: Int32) -> Int32 {
    if !Program.waitForEnd(of: process, patience) { signal(process, SIGKILL) }
    return Program.status(of: process)
  }
}

/// The end of what a program writes to standard error.
package final class MessageTail: Sendable {
  private static let longest = 4096
  package let descriptor: Int32
  private let kept = Lock<[UInt8]>([])
  private let drain = Lock<Task<Void, Never>?>(nil)

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // A stream of events that is cancelled closes the descriptor.
    if let drain = drain.withLock({ $0 }) { drain.cancel() } else { close(descriptor) }
  }

  /// Takes what has arrived. Returns `false` at the end.
  @discardableResult
  package func take() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    // The number of turns is limited, so that a program that never stops writing holds nobody up.
    for _ in 1...64 {
      let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      kept.withLock { kept in
        kept += chunk[..<count]
        kept.removeFirst(max(0, kept.count - Self.longest))
      }
    }
    return true
  }

  package var text: String { String(decoding: kept.withLock { $0 }, as: UTF8.self) }

  /// Goes on taking what arrives, so that the program never waits for a reader.
  package func keepTaking() {
    let events = Readable.events(of: descriptor) { [weak self] in self?.take() ?? false }
    drain.withLock { $0 = Task.quiet { for await _ in events {} } }
  }
}
