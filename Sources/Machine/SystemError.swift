import Glibc

/// A failed system call: the attempt, and the reason for its failure.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The attempt, as the end of the sentence "cannot …".
  public var attempt: String
  /// The file in question, unless the attempt names it.
  public var path: String?
  /// The system's number for the reason.
  public var code: Int32

  package init(_ attempt: String, _ path: String? = nil, code: Int32 = errno) {
    self.attempt = attempt
    self.path = path
    self.code = code
  }

  public var description: String {
    "cannot \(attempt)\(path.map { " \($0)" } ?? ""): \(reason)"
  }

  /// The system's words for the reason.
  public var reason: String { Self.reason(code) }

  /// The system's words for an error number.
  package static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// The same failure with the attempt in other words, which name the file.
  package func attempting(_ attempt: String) -> SystemError { SystemError(attempt, code: code) }
}

extension SystemError {
  /// Whether the disk, or the user's share of it, is full.
  package var isFullDisk: Bool { code == ENOSPC || code == EDQUOT }
  /// Whether the medium is mounted read-only.
  package var isReadOnlyMedium: Bool { code == EROFS }
  /// Whether there is a symbolic link where none is followed.
  package var isLink: Bool { code == ELOOP }
  /// Whether the mode of a file or folder forbids the attempt.
  package var isForbidden: Bool { code == EACCES || code == EPERM }
  /// Whether the path is taken already.
  package var isExistence: Bool { code == EEXIST }
  /// Whether another process holds the lock.
  package var isHeldByOthers: Bool { code == EWOULDBLOCK }
  /// The error number of a write that nobody can read any longer.
  package static let readerGone = EPIPE
}
