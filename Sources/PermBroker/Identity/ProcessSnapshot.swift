import Machine
package import PermModel

/// The facts about one process at one moment.
package struct ProcessSnapshot: Hashable, Sendable {
  package var identity: ProcessIdentity
  package var parent: Int32
  /// The kernel's short name for it, which the process may change.
  package var name: String
  /// The file that it runs; `nil` if that cannot be read.
  package var executable: SeenFile?
  /// Whether no path leads to that file any longer: it was deleted or replaced, or never existed except in memory.
  package var isExecutableGone = false
  package var arguments: [String]
  /// Whether it is a copy of its parent that has not executed a program since: a subshell, or a worker.
  package var isFork = false
  /// The controlling terminal, for example `pts/3`.
  package var terminal: String?
  package var workingDirectory: String?
  /// The number of its mount namespace; `nil` if that cannot be read.
  package var mountNamespace: UInt64?
  package var user: UInt32 = 0
  /// Whether the file that it runs is root's, so that its name can be trusted.
  package var isRootsProgram = false
  /// Whether it runs the command `permtui`, which asks for others.
  package var isClient = false
  /// Whether it reads input that a person types.
  package var readsTerminal = false

  package var pid: Int32 { identity.pid }

  /// The name that a person would use: that of the file it runs, else the kernel's.
  var displayName: String { executable?.name ?? name }
}

/// A file with its path and its identity.
package struct SeenFile: Hashable, Sendable {
  package var path: String
  package var identity: FileIdentity
  /// Whether only root can put another file at this path, so that the path identifies the program.
  package var isProtected = false

  /// The last part of the path.
  package var name: String { path.lastPathPart }
}

/// A script, and the doubt whether it is the one that runs.
package struct FoundScript: Hashable, Sendable {
  package var file: SeenFile
  /// The doubt in words; `nil` if there is none.
  package var doubt: String?
}
