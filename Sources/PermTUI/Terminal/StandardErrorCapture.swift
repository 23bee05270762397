import CNcurses
import Glibc
import Machine

/// A capture of standard error. It keeps the output of libraries away from the screen, and releases that
/// output when the screen is gone.
struct StandardErrorCapture {
  /// The previous standard error.
  private let original: Int32
  /// The unnamed file that replaces standard error during the capture.
  private let file: Int32

  /// Starts the capture. Returns nil if standard error does not go to `terminal`, because redirected output
  /// cannot disturb the screen.
  init?(terminal: Int32) {
    guard isatty(STDERR_FILENO) == 1, Self.isSame(STDERR_FILENO, terminal) else { return nil }
    original = dup(STDERR_FILENO)
    file = cncurses_memfd("messages")
    guard original >= 0, file >= 0, dup2(file, STDERR_FILENO) >= 0 else {
      close(original)
      close(file)
      return nil
    }
  }

  /// Restores standard error and writes the kept output there. Makes only calls that are allowed in a signal handler.
  func end() {
    dup2(original, STDERR_FILENO)
    lseek(file, 0, SEEK_SET)
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      var count = read(file, buffer.baseAddress, buffer.count)
      while count > 0 {
        WholeWrite.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: STDERR_FILENO)
        count = read(file, buffer.baseAddress, buffer.count)
      }
    }
    close(original)
    close(file)
  }

  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var first = stat()
    var second = stat()
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_rdev == second.st_rdev
  }
}
