import Glibc

/// Writes all of some bytes, and stops early only if the descriptor fails. Safe in a signal handler.
enum WholeWrite {
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    var written = 0
    while written < bytes.count, let start = bytes.baseAddress {
      let count = Glibc.write(descriptor, start + written, bytes.count - written)
      guard count > 0 || errno == EINTR else { return }
      written += max(0, count)
    }
  }
}
