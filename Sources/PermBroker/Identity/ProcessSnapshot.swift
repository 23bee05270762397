import Machine
package import PermModel

/// The facts about one process at one point in time.
package struct ProcessSnapshot: Hashable, Sendable {
  package var identity: ProcessIdentity
  package var parent: Int32
  /// The kernel's short name for the process. The process itself can change this name.
  package var name: String
  /// The file that the process runs; `nil` if it cannot be read.
  package var executable: SeenFile?
  /// Whether no path leads to the running file. The file might have been deleted or replaced, or might never have
  /// existed on disk.
  package var isExecutableGone = false
  package var arguments: [String]
  /// Whether the process was forked from its parent, as a subshell is, and has not executed another program since.
  package var isFork = false
  /// The controlling terminal, for example `pts/3`.
  package var terminal: String?
  package var workingDirectory: String?
  /// The number of the process's mount namespace; `nil` if it cannot be read.
  package var mountNamespace: UInt64?
  package var user: UInt32 = 0
  /// Whether the running file comes from root. If so, its name can be trusted.
  package var isRootsProgram = false
  /// Whether the process runs the command `permtui`, which asks on behalf of others.
  package var isClient = false
  /// Whether the process's standard input is its terminal, where a person types.
  package var readsTerminal = false

  package var pid: Int32 { identity.pid }

  /// The name that a person would use: the name of the running file or, if that cannot be read, ``name``.
  var displayName: String { executable?.name ?? name }
}

/// A file, described by its path and its identity.
package struct SeenFile: Hashable, Sendable {
  package var path: String
  package var identity: FileIdentity
  /// Whether only root can put another file at this path. If so, the path alone identifies the program.
  package var isProtected = false

  package var name: String { path.lastPathPart }
}

/// A script file, and any doubt about whether it is the script that is really running.
package struct FoundScript: Hashable, Sendable {
  package var file: SeenFile
  /// The doubt in words; `nil` if there is none.
  package var doubt: String?
}
