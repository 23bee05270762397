import CNcurses
import Glibc
import Machine

/// The channel through which other tasks send messages to the event loop. It keeps the messages in order, and
/// has a descriptor that the loop can poll.
///
/// Sending never waits. The first message into an empty inbox wakes the loop; later messages cost no system call.
final class Inbox<Message: Sendable>: Sendable {
  let descriptor: Int32
  private let messages = Lock<[Message]>([])

  init() {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
  }

  deinit { close(descriptor) }

  func send(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard wasEmpty else { return }
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Removes all messages, and returns them in the order in which they were sent.
  func take() -> [Message] {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
