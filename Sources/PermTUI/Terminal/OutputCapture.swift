import CNcurses
import Glibc

/// Catches what curses writes to a descriptor, so that a frame is one piece, and is sent by somebody who can be
/// interrupted.
struct OutputCapture {
  private let descriptor: Int32
  private let terminal: Int32
  private let file: Int32

  /// - Parameters:
  ///   - descriptor: where curses writes: a duplicate of the terminal that is nobody else's.
  ///   - terminal: where it goes otherwise.
  init(of descriptor: Int32, terminal: Int32) {
    self.descriptor = descriptor
    self.terminal = terminal
    file = cncurses_memfd("frame")
  }

  func end() { close(file) }

  /// The bytes that `body` makes curses write.
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
