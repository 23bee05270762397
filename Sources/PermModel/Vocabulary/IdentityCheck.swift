/// The result of comparing a program's label with the evidence about the program.
package enum IdentityCheck: Hashable, Sendable {
  /// No comparison is made, because the asking code runs in this process.
  case inProcess
  /// `asSeen`: the program was allowed something under this label before. `firstTime`: nothing has been
  /// decided about the program under this label yet.
  case asSeen, firstTime
  /// The program was seen under this label before, but was never allowed anything.
  case onlyDenied
  /// Another file was seen at the same path under this label before. Since then, that file has been replaced,
  /// for example by an editor or an update.
  case replaced
  /// Another program was allowed something under this label before. `seenBefore` is the path of that program's file.
  case mismatch(seenBefore: String)
  /// The program was never allowed anything under this label, which can be confused with another known label.
  case lookAlike(of: String)
  /// The program's file cannot be determined. An answer is kept only while the process lives.
  case fileless
  /// The process could not be examined. The only lifetime that an answer can have is `once`.
  case unknown
}
