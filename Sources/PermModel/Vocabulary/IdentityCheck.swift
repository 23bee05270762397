/// How a program's label fits the evidence about it.
package enum IdentityCheck: Hashable, Sendable {
  /// The asking code runs in this process.
  case inProcess
  /// Allowed something under this label before, or never seen under it.
  case asSeen, firstTime
  /// Seen under this label before, and never allowed anything.
  case onlyDenied
  /// The file at the path that was seen before is a different one: an editor, an update or somebody else replaced it.
  case replaced
  /// Something was allowed for this label while another file, named here, asked under it.
  case mismatch(seenBefore: String)
  /// The label is new, and looks like another one that is known.
  case lookAlike(of: String)
  /// The file behind the process cannot be determined. An answer is kept for the process at most.
  case fileless
  /// The process could not be read. Only `once` is offered.
  case unknown
}
