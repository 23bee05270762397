import Glibc

/// Files of a line or two.
enum SmallFile {
  /// The first 4 KiB of a file; `nil` where it cannot be read. A link in the file's place is not followed.
  static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Makes a private file with this text, unless something stands there already.
  ///
  /// Others never see it half written: it appears under its name only when it is whole.
  static func create(_ path: String, text: String) -> Bool {
    let draft = "\(path).\(getpid()).\(StoreEnvironment.randomID())"
    let file = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { unlink(draft) }
    let bytes = Array(text.utf8)
    let written = write(file, bytes, bytes.count)
    guard close(file) == 0, written == bytes.count else { return false }
    return link(draft, path) == 0
  }
}
