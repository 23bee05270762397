import Glibc

/// Which files nobody but root can replace.
package enum ProtectedFile {
  /// Whether only root can write a file and all folders on the way to it, so that whatever is at the path was put there by
  /// root.
  ///
  /// - Parameter path: An absolute path with links followed.
  package static func isProtected(_ path: String) -> Bool {
    guard path.hasPrefix("/") else { return false }
    var place = ""
    for part in path.split(separator: "/") {
      guard isRootOnly(place.isEmpty ? "/" : place) else { return false }
      place += "/\(part)"
    }
    return isRootOnly(place)
  }

  /// Whether one file or folder belongs to root, and to nobody else who may write.
  package static func isRootOnly(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }
}

extension Subject {
  /// The program as it would be seen if the file at its path asked now; `nil` if there is none.
  package var withFileOfNow: Subject? {
    guard let path, sandbox == nil else { return self }
    guard let identity = FileIdentity(ofFileAt: path) else { return nil }
    var subject = self
    subject.file = ProtectedFile.isProtected(path) ? nil : identity
    return subject
  }
}
