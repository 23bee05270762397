import Glibc

/// A file of text that a person names, read or written as a whole.
struct TextFile {
  let path: String

  /// In bytes; more is no file of text, but a device that has no end.
  private static let largest = 256 << 20

  /// All of its text.
  ///
  /// - Throws: ``CommandError`` if it cannot be read, is not UTF-8, or is larger than 256 MiB.
  func read() throws(CommandError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("read") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw failure("read") }
      bytes += buffer.prefix(max(0, count))
      guard bytes.count <= Self.largest else { throw CommandError("'\(path)' is larger than 256 MiB") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError("'\(path)' is not text in UTF-8")
    }
    return text
  }

  /// Writes all of it, readable for its owner only.
  ///
  /// It is written beside its place and moved there when it is whole, so a file that is replaced is never half written.
  ///
  /// - Parameter replacing: whether a file that stands there may be replaced.
  func write(_ text: String, replacing: Bool) throws(CommandError) {
    guard replacing || access(path, F_OK) != 0 else {
      throw CommandError(
        "'\(path)' exists already", advice: ["name another file, or replace it with --force"])
    }
    let draft = path + ".partial"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write") }
    defer { close(descriptor) }
    let isWhole = (try? FileSink(descriptor: descriptor).write(text)) != nil
    guard isWhole, fsync(descriptor) == 0, rename(draft, path) == 0 else {
      let reason = failure("write")
      unlink(draft)
      throw reason
    }
  }

  /// What the last call said.
  private func failure(_ verb: String) -> CommandError {
    CommandError("cannot \(verb) '\(path)': \(String(cString: strerror(errno)))")
  }
}
