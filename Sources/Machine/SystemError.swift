import Glibc

/// A failed system call, with the attempt and the reason for the failure.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The words that complete the sentence "cannot …", for example `open`.
  public var attempt: String
  /// The path of the file in question, unless `attempt` already names the file.
  public var path: String?
  /// The error number (`errno`) of the failure.
  public var code: Int32

  package init(_ attempt: String, _ path: String? = nil, code: Int32 = errno) {
    self.attempt = attempt
    self.path = path
    self.code = code
  }

  public var description: String {
    "cannot \(attempt)\(path.map { " \($0)" } ?? ""): \(reason)"
  }

  /// The reason for the failure, in the words of the C library.
  public var reason: String { Self.reason(code) }

  /// Returns the words of the C library for an error number.
  package static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// Returns the same failure with another description of the attempt. The description should name the file,
  /// because the copy has no path.
  package func attempting(_ attempt: String) -> SystemError { SystemError(attempt, code: code) }
}

extension SystemError {
  /// Whether the disk is full, or the user's quota is used up.
  package var isFullDisk: Bool { code == ENOSPC || code == EDQUOT }
  /// Whether the file system is mounted read-only.
  package var isReadOnlyMedium: Bool { code == EROFS }
  /// Whether the attempt failed at a symbolic link that it was not allowed to follow.
  package var isLink: Bool { code == ELOOP }
  /// Whether this process does not have permission for the attempt.
  package var isForbidden: Bool { code == EACCES || code == EPERM }
  /// Whether the path already exists.
  package var isExistence: Bool { code == EEXIST }
  /// Whether another process holds the lock.
  package var isHeldByOthers: Bool { code == EWOULDBLOCK }
  /// The error number of a write to a pipe or socket whose reader is gone.
  package static let readerGone = EPIPE
}
