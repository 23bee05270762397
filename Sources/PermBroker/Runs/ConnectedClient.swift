import Machine
import PermModel

/// The client of one connection, for as long as the connection lasts.
final class ConnectedClient: Sendable {
  let peer: Peer
  private let caller = Lock<WalledCaller?>(nil)

  init(_ peer: Peer) { self.peer = peer }

  /// The process behind walls from which the calls come; `nil` if they are the peer's own.
  var walled: WalledCaller? { caller.withLock { $0 } }

  /// Notes that the calls come from behind walls from now on. Returns `false` if that is so already.
  func enter(_ walled: WalledCaller) -> Bool {
    caller.withLock { caller in
      guard caller == nil else { return false }
      caller = walled
      return true
    }
  }
}

/// A process behind walls whose calls its warden passes on, as the warden saw it.
package struct WalledCaller: Hashable, Sendable {
  /// The id of the run.
  package var run: String
  package var process: WalledProcess
  /// The working folder; `nil` if it is unknown.
  package var folder: String?
  /// Whether the process descends from the run's program.
  package var isBelowProgram: Bool
  /// The reason why what happens in the run is not held by its walls alone; `nil` if there is none.
  package var opening: Opening?

  package enum Opening: String, Hashable, Sendable {
    /// The run may use a socket of the host.
    case socket
    /// A folder of the host is used directly.
    case native
  }

  package init(
    run: String, process: WalledProcess, folder: String?, isBelowProgram: Bool, opening: Opening?
  ) {
    self.run = run
    self.process = process
    self.folder = folder
    self.isBelowProgram = isBelowProgram
    self.opening = opening
  }
}
