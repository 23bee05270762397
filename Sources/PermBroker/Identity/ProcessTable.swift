import PermModel

/// The processes of this machine. Injected, so that tests can build family trees that no machine has.
package protocol ProcessTable: Sendable {
  /// The mount namespace that this process lives in.
  var mountNamespace: UInt64? { get }

  /// Reads a process; `nil` if there is none, or if not even its parent can be read.
  func process(_ pid: Int32) -> ProcessSnapshot?

  /// Finds the script that a process was given on its command line; `nil` if it is not to be found any more.
  func script(named argument: String, givenTo process: ProcessSnapshot) -> FoundScript?
}
