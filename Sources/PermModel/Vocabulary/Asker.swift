/// One program, distinguished from others for turns and limits: by its file if it has one, whatever name it uses.
package enum Asker: Hashable, Sendable {
  case file(FileIdentity, isSandboxed: Bool)
  /// A file that only root can replace.
  case path(String)
  case fileless(parents: UInt64)
  case label(String)
  /// A process whose program cannot be determined. It counts together with all others of its user and family.
  case doubtful(user: UInt32, Family)
  /// A process whose program has not been looked up yet.
  case process(Int32)
  /// All subjects without a file, if they count as one.
  case unknown

  package init(_ subject: Subject) {
    self =
      subject.file.map { .file($0, isSandboxed: subject.isSandboxed) } ?? subject.path.map { .path($0) }
      ?? subject.fileless.map { .fileless(parents: $0.parents) } ?? .label(subject.label)
  }

  /// Creates the asker that a subject's costs are charged to. A label does not give a program a count of its own.
  package init(counting subject: Subject) {
    self = subject.path == nil && subject.file == nil ? .unknown : Asker(subject)
  }
}

/// Processes that belong together, whatever files they run: those of one terminal, or else of one control group.
package enum Family: Hashable, Sendable {
  /// A terminal's session, identified by the process that leads it.
  case terminal(String, leader: Int32)
  case controlGroup(String)
  case unknown
}
