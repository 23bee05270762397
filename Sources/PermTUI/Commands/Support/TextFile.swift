import Machine

/// A file of text that a person names, read or written as a whole.
struct TextFile {
  let path: String

  /// In bytes; more is no file of text, but a device that has no end.
  private static let largest = 256 << 20

  /// All of its text.
  ///
  /// - Throws: ``CommandError`` if it cannot be read, is not UTF-8, or is larger than 256 MiB.
  func read() throws(CommandError) -> String {
    let bytes: [UInt8]
    do {
      bytes = try Files.bytes(of: path, limit: Self.largest + 1, waiting: true)
    } catch {
      throw CommandError("cannot read '\(path)': \(error.reason)")
    }
    guard bytes.count <= Self.largest else { throw CommandError("'\(path)' is larger than 256 MiB") }
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
    guard replacing || !Files.exists(path) else {
      throw CommandError(
        "'\(path)' exists already", advice: ["name another file, or replace it with --force"])
    }
    do {
      try Files.replace(path, text: text)
    } catch {
      throw CommandError("cannot write '\(path)': \(error.reason)")
    }
  }
}
