/// How what a program calls itself fits what was seen.
public enum IdentityCheck: Hashable, Sendable {
  /// The asking code runs in this process.
  case inProcess
  /// Allowed something under this label before, or never seen under it.
  case asSeen, firstTime
  /// Seen under this label before, and never allowed anything.
  case onlyDenied
  /// At the path that was seen before there is another file now: an editor, an update, or somebody put it there.
  case replaced
  /// Something was allowed for this label while another file, named here, asked under it.
  case mismatch(seenBefore: String)
  /// The label is new, and looks like another one that is known.
  case lookAlike(of: String)
  /// It cannot be told which file stands behind the process. An answer is kept for the process at most.
  case fileless
  /// The process could not be read. Only `once` is offered.
  case unknown
}
