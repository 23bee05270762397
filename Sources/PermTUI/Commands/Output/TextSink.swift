import Machine

/// A destination for the text that a command writes.
protocol TextSink: Sendable {
  /// Writes all of `text`.
  ///
  /// - Throws: ``OutputError``.
  func write(_ text: String) throws(OutputError)
}

/// The reason why text could not be written.
enum OutputError: Error, Hashable {
  /// The reader has gone away, as `head` does.
  case readerGone
  /// The system refused, with this `errno`: the disk is full, or the terminal is gone.
  case failed(Int32)
}

/// An open file to which text is written unbuffered.
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
