package import PermModel

/// Which program asks, as far as that could be seen.
package struct SeenProgram: Hashable, Sendable {
  /// The process that is connected: mostly the command `permtui request`, which asks for its caller.
  package var peer: ProcessIdentity
  /// The file that counts as the program; `nil` where there is doubt.
  package var file: SeenFile?
  package var evidence: Evidence

  /// The program as the store knows it.
  ///
  /// - Parameter label: What the program calls itself; the name of its file unless given.
  package func subject(label: String?) -> Subject {
    Subject(
      label: label ?? evidence.program.lastPathPart, path: file?.path, file: file?.identity,
      isSandboxed: evidence.isSandboxed)
  }

  /// Whether this is still the same asking program: the same processes, the same files, the same surroundings.
  package func isSame(as other: SeenProgram) -> Bool {
    peer == other.peer && file == other.file && evidence.process == other.evidence.process
      && evidence.isSandboxed == other.evidence.isSandboxed
  }
}
