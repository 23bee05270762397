import Glibc

/// A call to the system that failed: what was tried, and why it did not work.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// What was tried, as the end of the sentence "cannot …".
  public var attempt: String
  /// The system's number for the reason.
  public var code: Int32

  package init(_ attempt: String, code: Int32 = errno) {
    self.attempt = attempt
    self.code = code
  }

  public var description: String { "cannot \(attempt): \(reason)" }

  /// The system's words for the reason.
  public var reason: String {
    guard let words = strerror(code) else { return "error \(code)" }
    return String(cString: words)
  }
}
