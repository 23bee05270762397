import Glibc

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
    let code = text.withUTF8 { bytes in Self.writeAll(bytes, to: descriptor) }
    switch code {
    case 0: return
    case EPIPE: throw .readerGone
    default: throw .failed(code)
    }
  }

  /// Zero, or the `errno` of the write that failed.
  private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let written = Glibc.write(descriptor, part.baseAddress, part.count)
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
