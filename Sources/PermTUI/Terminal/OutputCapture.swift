import CNcurses

/// A capture of the bytes that curses writes to a descriptor. They can then be sent in one piece, by code that can be
/// interrupted.
struct OutputCapture {
  private let descriptor: Int32
  private let terminal: Int32
  private let file: Int32

  /// - Parameters:
  ///   - descriptor: The descriptor that curses writes to: a duplicate of the terminal's descriptor that no
  ///     other code uses.
  ///   - terminal: The terminal's descriptor, to which `descriptor` leads while nothing is being captured.
  init(of descriptor: Int32, terminal: Int32) {
    self.descriptor = descriptor
    self.terminal = terminal
    file = cncurses_memfd("frame")
  }

  func end() { close(file) }

  /// Returns the bytes that curses writes during `body`.
  func bytes(of body: () -> Void) -> [UInt8] {
    guard file >= 0 else {
      body()
      return []
    }
    dup2(file, descriptor)
    body()
    dup2(terminal, descriptor)
    let count = Int(lseek(file, 0, SEEK_CUR))
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    lseek(file, 0, SEEK_SET)
    return bytes
  }
}
