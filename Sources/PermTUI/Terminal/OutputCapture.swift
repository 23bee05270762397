import CNcurses

/// A file in memory that receives what curses writes. The bytes can then be sent in one piece, by code that never waits
/// for a stopped terminal.
struct OutputCapture {
  private let descriptor: Int32
  private let terminal: Int32
  private let file: Int32

  /// - Parameters:
  ///   - descriptor: The descriptor that curses writes to: a duplicate of the terminal's descriptor that no other code
  ///     uses. From now on it leads to the file.
  ///   - terminal: The terminal's descriptor.
  init(of descriptor: Int32, terminal: Int32) {
    self.descriptor = descriptor
    self.terminal = terminal
    file = cncurses_memfd("frame")
    if file >= 0 { dup2(file, descriptor) }
  }

  /// Lets curses have the terminal itself during `body`.
  func pause(_ body: () -> Void) {
    dup2(terminal, descriptor)
    body()
    if file >= 0 { dup2(file, descriptor) }
  }

  func end() { close(file) }

  /// Returns the bytes that curses has written since the last call.
  func take() -> [UInt8] {
    let count = Int(lseek(file, 0, SEEK_CUR))
    guard count > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, count, 0))
    }
    lseek(file, 0, SEEK_SET)
    return bytes
  }
}
