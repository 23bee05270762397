import Machine
package import PermModel

/// The asking program, as far as it could be identified.
package struct SeenProgram: Hashable, Sendable {
  /// The connected process: mostly the command `permtui request`, which asks for its caller.
  package var peer: ProcessIdentity
  /// The file that counts as the program; `nil` if there is doubt.
  package var file: SeenFile?
  package var evidence: Evidence
  /// The sandbox that it runs in.
  package var sandbox: Sandbox?
  /// A number for the user and the programs that led to it.
  package var parents: UInt64 = 0

  /// Returns the program as the store knows it.
  ///
  /// - Parameter label: The name that the program calls itself; the name of its file unless given.
  package func subject(label: String?) -> Subject {
    let label = label ?? evidence.program.lastPathPart
    guard let file else {
      let fileless = FilelessProgram(process: evidence.process, parents: parents)
      return Subject(label: label, fileless: fileless, sandbox: sandbox)
    }
    return Subject(
      label: label, path: file.path, file: file.isProtected && sandbox == nil ? nil : file.identity,
      sandbox: sandbox)
  }

  /// Whether this is still the same asking program: the same processes, the same files, the same surroundings.
  package func isSame(as other: SeenProgram) -> Bool {
    peer == other.peer && file == other.file && evidence.process == other.evidence.process
      && sandbox == other.sandbox
  }
}
