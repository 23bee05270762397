import Synchronization

@testable import PermTUI

/// Keeps what a command writes.
final class RecordedSink: TextSink {
  private let recorded = Mutex("")

  var text: String { recorded.withLock { $0 } }

  func write(_ text: String) { recorded.withLock { $0 += text } }
}
