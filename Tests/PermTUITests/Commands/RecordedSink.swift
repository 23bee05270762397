import Synchronization

@testable import PermTUI

/// Records the output of a command.
final class RecordedSink: TextSink {
  private let recorded = Mutex("")

  var text: String { recorded.withLock { $0 } }

  func write(_ text: String) { recorded.withLock { $0 += text } }
}
