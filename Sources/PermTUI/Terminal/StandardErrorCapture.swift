import Glibc
import Machine

/// Keeps libraries' output to standard error away from the screen, and releases it when the screen is gone.
struct StandardErrorCapture {
  /// The previous standard error, and the unnamed file that takes its place.
  struct Descriptors {
    let original: Int32
    let file: Int32
  }

  let descriptors: Descriptors

  /// Returns nil if standard error does not go to the terminal `terminal`: redirected output stays as it is.
  init?(terminal: Int32) {
    guard isatty(STDERR_FILENO) == 1, Self.isSame(STDERR_FILENO, terminal) else { return nil }
    guard let file = Self.namelessFile() else { return nil }
    let original = dup(STDERR_FILENO)
    guard original >= 0, dup2(file, STDERR_FILENO) >= 0 else {
      close(file)
      return nil
    }
    descriptors = Descriptors(original: original, file: file)
  }

  /// Restores standard error and writes the kept output there.
  func end() {
    Self.end(descriptors)
    close(descriptors.original)
    close(descriptors.file)
  }

  /// Like ``end()``, but makes only calls that a signal handler may make.
  static func end(_ descriptors: Descriptors) {
    dup2(descriptors.original, STDERR_FILENO)
    lseek(descriptors.file, 0, SEEK_SET)
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      var count = read(descriptors.file, buffer.baseAddress, buffer.count)
      while count > 0 {
        WholeWrite.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: STDERR_FILENO)
        count = read(descriptors.file, buffer.baseAddress, buffer.count)
      }
    }
  }

  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var first = stat()
    var second = stat()
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_rdev == second.st_rdev
  }

  private static func namelessFile() -> Int32? {
    var path = Array("/tmp/permtui-messages-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { return nil }
    unlink(path)
    return file
  }
}
