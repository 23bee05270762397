/// Functions that check whether only root can replace a file.
package enum ProtectedFile {
  /// Whether only root can write to a file and to every folder on its path, which means that root must have
  /// put the file there.
  ///
  /// - Parameter path: An absolute path without symbolic links.
  package static func isProtected(_ path: String) -> Bool {
    let slash = UInt8(ascii: "/")
    guard path.utf8.first == slash else { return false }
    var place = ""
    // A slash with an accent is a single character, but the kernel sees the slash.
    for part in path.utf8.split(separator: slash) {
      guard isRootOnly(place.isEmpty ? "/" : place) else { return false }
      place += "/\(Substring(part))"
    }
    return isRootOnly(place)
  }

  /// Whether a file or folder belongs to root and nobody else is allowed to write to it.
  package static func isRootOnly(_ path: String) -> Bool {
    FileStatus(path)?.isRootOnly ?? false
  }
}

extension FileStatus {
  /// Whether the file or folder belongs to root and nobody else is allowed to write to it.
  package var isRootOnly: Bool { owner == 0 && !isWritableByOthers }
}
