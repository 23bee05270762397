/// A copy of a store that was whole when it was made.
public struct StoreBackup: Hashable, Sendable {
  public var path: String
  public var madeAt: Timestamp

  init(path: String, madeAt: Timestamp) {
    self.path = path
    self.madeAt = madeAt
  }

  /// Reads the moment from a backup's name; `nil` for other files.
  init?(named name: String, in paths: StorePaths) {
    guard let stamp = name.rest(after: paths.name + "-"), stamp.hasSuffix(".sqlite"),
      let madeAt = FileStamp.timestamp(String(stamp.dropLast(".sqlite".count)))
    else { return nil }
    self.init(path: paths.backups + "/" + name, madeAt: madeAt)
  }
}
