import GRDB
import Machine

/// A store's opened file: for reading and writing, or for reading alone if it cannot be written.
struct StoreOpening {
  let reader: DatabaseQueue
  /// Held as long as the store is open, so that no process moves the file meanwhile.
  var lock: FileLock?
  /// The reason why the file cannot be written, in words; `nil` if it can.
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
      // If even reading fails, the first error has the reason.
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
  /// The reason why a store that could not be opened for writing may still be readable; `nil` if it is not.
  fileprivate var reasonForReadingOnly: String? {
    guard case .diskFull = self else { return nil }
    return "no space was left on its disk when it was opened; make room, then start permtui again"
  }
}
