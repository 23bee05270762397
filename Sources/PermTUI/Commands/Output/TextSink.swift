import Machine

/// Takes text that a command writes.
protocol TextSink: Sendable {
  /// Writes all of `text`.
  ///
  /// - Throws: ``OutputError``.
  func write(_ text: String) throws(OutputError)
}

/// Why text could not be written.
enum OutputError: Error, Hashable {
  /// Whoever read has gone away, as `head` does.
  case readerGone
  /// The system refused, with this `errno`: a full disk, a terminal that is gone.
  case failed(Int32)
}

/// An open file that text is written to as it comes, unbuffered.
struct FileSink: TextSink {
  let descriptor: Int32

  func write(_ text: String) throws(OutputError) {
    var text = text
    let code = text.withUTF8 { WholeWrite.write(UnsafeRawBufferPointer($0), to: descriptor) }
    switch code {
    case 0: return
    case SystemError.readerGone: throw .readerGone
    default: throw .failed(code)
    }
  }
}
