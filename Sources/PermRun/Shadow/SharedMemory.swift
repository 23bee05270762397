/// The files through which several programs share memory. The pages that a program inside maps are not the host's, so such
/// a file is used inside or outside, never in both places at once.
enum SharedMemory {
  /// Whether a file's name is one of those that databases give to such files: the index of SQLite's write-ahead log, and
  /// the files of LMDB.
  static func mayUse(_ name: Name) -> Bool { endings.contains { name.bytes.ends(with: $0) } }

  private static let endings = ["-shm", ".mdb", "-lock"].map { Array($0.utf8) }

  /// Whether two files of one folder belong to the same database.
  static func isSameDatabase(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    if one.ends(with: Array(".mdb".utf8)) { return other.ends(with: Array(".mdb".utf8)) }
    return stem(one) == stem(other)
  }

  private static func stem(_ name: [UInt8]) -> [UInt8] {
    for ending in ["-shm", "-wal", "-journal", "-lock"].map({ Array($0.utf8) }) where name.ends(with: ending)
    {
      return Array(name.dropLast(ending.count))
    }
    return name
  }
}

extension [UInt8] {
  fileprivate func ends(with ending: [UInt8]) -> Bool { suffix(ending.count).elementsEqual(ending) }
}
