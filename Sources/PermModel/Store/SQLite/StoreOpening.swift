import GRDB
import Machine

/// A store file that has been opened. If the file is not writable, it is opened only for reading.
struct StoreOpening {
  let reader: DatabaseQueue
  /// A lock that is held while the store is open. It keeps other processes from moving the file.
  var lock: FileLock?
  /// The human-readable reason why the file cannot be written; `nil` if it can be written.
  var readOnlyReason: String?

  /// Opens a file, and creates it if it is missing.
  static func open(_ file: StoreFile, at now: Timestamp) throws(StoreError) -> StoreOpening {
    let connection = StoreConnection(paths: file.paths)
    if let reason = try file.prepare() { return try readingOnly(connection, because: reason) }
    do throws(StoreError) {
      let lock = try FileLock(file.paths, .open)
      return StoreOpening(reader: try connection.reading(at: now), lock: lock)
    } catch {
      guard let reason = error.reasonForReadingOnly else { throw error }
      // If the file cannot be read either, the first error is thrown, because it explains why.
      guard let opening = try? readingOnly(connection, because: reason) else { throw error }
      return opening
    }
  }

  private static func readingOnly(
    _ connection: StoreConnection, because reason: String
  ) throws(StoreError) -> StoreOpening {
    StoreOpening(reader: try connection.readingOnly(), readOnlyReason: reason)
  }
}

extension StoreError {
  /// The human-readable reason for opening the store read-only after this error; `nil` if this error makes even reading
  /// impossible.
  fileprivate var reasonForReadingOnly: String? {
    guard case .diskFull = self else { return nil }
    return "no space was left on its disk when it was opened; make room, then start permtui again"
  }
}
