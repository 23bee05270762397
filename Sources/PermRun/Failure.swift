import CFuse
import CWalls

/// The reason for which an operation in the shadow fails: an error number, which the program gets as its `errno`.
struct Failure: Error, Hashable {
  var code: Int32

  init(_ code: Int32) { self.code = code }

  /// The reason for the failure of the last system call.
  static var last: Failure { Failure(walls_error()) }

  /// The answer to a program that was told no.
  static let denied = Failure(EACCES)
  /// The answer about a name that the program must not know of.
  static let hidden = Failure(ENOENT)
  /// The name no longer leads to the file. The kernel then looks the name up again.
  static let stale = Failure(ESTALE)
}

/// Returns the result of a system call, unless it is negative.
@discardableResult
func checked<Result: SignedInteger>(_ result: Result) throws(Failure) -> Result {
  guard result >= 0 else { throw .last }
  return result
}

extension Failure {
  static let tooLong = Failure(ENAMETOOLONG)
}
