import GRDB
import Machine

/// A store's file as it could be opened: for reading and writing, or for reading alone where nothing can be written.
struct StoreOpening {
  let reader: DatabaseQueue
  /// Held as long as the store is open, so that nobody moves the file meanwhile.
  var lock: FileLock?
  /// Why nothing can be written, in words; `nil` if it can.
  var readOnlyReason: String?

  /// Opens a file, and makes it where it is missing.
  static func open(_ file: StoreFile, at now: Timestamp) throws(StoreError) -> StoreOpening {
    let connection = StoreConnection(paths: file.paths)
    if let reason = try file.prepare() { return try readingOnly(connection, because: reason) }
    do throws(StoreError) {
      let lock = try FileLock(file.paths, .open)
      return StoreOpening(reader: try connection.reading(at: now), lock: lock)
    } catch {
      guard let reason = error.reasonForReadingOnly else { throw error }
      // Where not even reading works, the first error says why.
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
  /// Why a store that could not be opened for writing may still be readable; `nil` where it is not.
  fileprivate var reasonForReadingOnly: String? {
    guard case .diskFull = self else { return nil }
    return "no space was left on its disk when it was opened; make room, then start permtui again"
  }
}
