/// Functions that check whether only root can replace a file.
package enum ProtectedFile {
  /// Whether only root can write to a file and to every folder on its path, which means that root must have
  /// put the file there.
  ///
  /// - Parameter path: An absolute path without symbolic links.
  package static func isProtected(_ path: String) -> Bool {
    guard path.hasPrefix("/") else { return false }
    var place = ""
    for part in path.split(separator: "/") {
      guard isRootOnly(place.isEmpty ? "/" : place) else { return false }
      place += "/\(part)"
    }
    return isRootOnly(place)
  }

  /// Whether a file or folder belongs to root and nobody else is allowed to write to it.
  package static func isRootOnly(_ path: String) -> Bool {
    FileStatus(path).map { $0.owner == 0 && !$0.isWritableByOthers } ?? false
  }
}
