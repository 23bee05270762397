import Machine
import Operations
import PermModel

/// The requests that clients of this broker wait for.
final class WaitingBook: Sendable {
  /// One client's request.
  struct Entry: Sendable {
    var request: Request
    var peer: Peer
    /// What was seen of the program when it asked.
    var seen: SeenProgram
    /// The program that its costs are counted for.
    var payer: Payer
    /// Tells the client that it waits.
    var announce: @Sendable () async -> Void
    /// Withdraws the request; `nil` until it is on its way.
    var withdraw: (@Sendable () -> Void)?
    /// Whether its program asks about it on its own terminal.
    var isAskedHere = false
    /// How often the program began to do so.
    var timesAskedHere = 0
  }

  private let entries = Lock<[Request.ID: Entry]>([:])

  /// Enters a request; `false` if one of the same id waits already.
  func enter(_ entry: Entry) -> Bool {
    entries.withLock { entries in
      guard entries[entry.request.id] == nil else { return false }
      entries[entry.request.id] = entry
      return true
    }
  }

  func setWithdraw(_ withdraw: @escaping @Sendable () -> Void, of id: Request.ID) {
    entries.withLock { $0[id]?.withdraw = withdraw }
  }

  func leave(_ id: Request.ID) {
    entries.withLock { _ = $0.removeValue(forKey: id) }
  }

  /// How often a program may begin to ask about one request on its own terminal: each time costs a line of the journal.
  private static let mostTimesAskedHere = 50

  /// Notes that a program asks about its request on its own terminal; `false` if it does already, or may not again.
  func beginAskingHere(_ id: Request.ID) -> Bool {
    entries.withLock { entries in
      guard let entry = entries[id], !entry.isAskedHere, entry.timesAskedHere < Self.mostTimesAskedHere else {
        return false
      }
      entries[id]?.isAskedHere = true
      entries[id]?.timesAskedHere += 1
      return true
    }
  }

  /// Notes that a program no longer asks on its own terminal; `false` if it did not.
  func endAskingHere(_ id: Request.ID) -> Bool {
    entries.withLock { entries in
      guard entries[id]?.isAskedHere == true else { return false }
      entries[id]?.isAskedHere = false
      return true
    }
  }

  subscript(id: Request.ID) -> Entry? { entries.withLock { $0[id] } }

  /// Those of some requests that clients of this broker wait for.
  func entries(of ids: [Request.ID]) -> [Entry] {
    entries.withLock { entries in ids.compactMap { entries[$0] } }
  }

  /// All that wait.
  var all: [Entry] { entries.withLock { Array($0.values) } }

  var ids: Set<Request.ID> { entries.withLock { Set($0.keys) } }
}
