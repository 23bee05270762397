import CFuse
import CWalls

/// The terminal at which the person has started the run. The program never gets it: it has one of its own, and the warden
/// carries keys and output between both.
struct PersonTerminal: Sendable {
  let descriptor: Int32
  /// The standard streams that are this terminal: bit n for stream n.
  let streams: UInt32
  private let keeper: Int32

  /// Returns the terminal of this process; `nil` if there is none.
  ///
  /// - Throws: An error if its modes could not be put back after the warden is killed.
  static func find() throws(WallsFailure) -> PersonTerminal? {
    let descriptor = walls_find_terminal()
    guard descriptor >= 0 else { return nil }
    let keeper = walls_start_keeper(descriptor)
    guard keeper >= 0 else { throw WallsFailure("cannot keep the terminal's modes") }
    return PersonTerminal(
      descriptor: descriptor, streams: walls_terminal_streams(descriptor), keeper: keeper)
  }

  /// Whether the program gets the run's terminal in the place of a stream.
  func replaces(_ stream: Int32) -> Bool { streams >> UInt32(stream) & 1 == 1 }

  /// Whether the program is alone at the terminal, and so may have every key from the start. In a pipeline, another program
  /// may be the one that reads keys.
  var isForProgram: Bool { replaces(0) && !(Int32(0)...2).contains { walls_is_pipe($0) == 1 } }

  /// Whether this process's job has the terminal.
  var isInFront: Bool { walls_is_in_front(descriptor) == 1 }

  func takeKeys() -> Bool { walls_take_keys(descriptor) == 1 }

  func leaveKeys() { walls_leave_keys(descriptor) }

  /// Puts the modes back, and lets the keeper go.
  func finish() {
    leaveKeys()
    walls_end_keeper(keeper)
  }
}
