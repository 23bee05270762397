/// The identity by which programs are told apart when they take turns and when limits apply. A program with a file is
/// identified by that file, even if it changes its name.
package enum ProgramKey: Hashable, Sendable {
  case file(FileIdentity, isSandboxed: Bool)
  /// A program whose file only root can replace, identified by the file's path.
  case path(String)
  case fileless(parents: UInt64)
  case label(String)
  /// An agent in the folder in which it began.
  indirect case agent(ProgramKey, in: ProgramFolder)
  /// A process whose program cannot be determined. All such processes of the same user and family count as one asker.
  case doubtful(user: UInt32, ProcessFamily)
  /// A process whose program has not been looked up yet.
  case process(Int32)
  /// All subjects without a file, if they count as one asker.
  case unknown

  package init(_ subject: Subject) {
    let program = Self.program(subject)
    self = subject.folder.map { .agent(program, in: $0) } ?? program
  }

  private static func program(_ subject: Subject) -> ProgramKey {
    subject.file.map { .file($0, isSandboxed: subject.isSandboxed) } ?? subject.path.map { .path($0) }
      ?? subject.fileless.map { .fileless(parents: $0.parents) } ?? .label(subject.label)
  }

  /// Creates the asker whose limits a subject uses up. Subjects without a file share one asker. Otherwise, a program
  /// could avoid a limit by changing its label.
  package init(counting subject: Subject) {
    self = subject.path == nil && subject.file == nil ? .unknown : ProgramKey(subject)
  }
}

/// A group of processes that belong together, even if they run different files. The processes of one terminal form a
/// family. A process without a terminal belongs to the family of its control group.
package enum ProcessFamily: Hashable, Sendable {
  /// The session of a terminal, identified by the process that leads the session.
  case terminal(String, leader: Int32)
  case controlGroup(String)
  case unknown
}
