import Machine

/// A text file that a person has named. It is read or written as a whole.
struct TextFile {
  let path: String

  /// The size limit in bytes. Anything larger is assumed to be an endless device, not a text file.
  private static let largest = 256 << 20

  /// - Throws: ``CommandError`` if the file cannot be read, is not UTF-8, or is larger than 256 MiB.
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

  /// Writes the whole text to a file that only its owner can read. An existing file is replaced either
  /// completely or not at all.
  ///
  /// - Parameter replacing: Whether replacing an existing file is allowed.
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
