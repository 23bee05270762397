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

  subscript(id: Request.ID) -> Entry? { entries.withLock { $0[id] } }

  /// The requests that one alert answers: those of the same program for the same.
  func joined(with id: Request.ID) -> [Entry] {
    entries.withLock { entries in
      guard let request = entries[id]?.request else { return [] }
      return entries.values.filter {
        $0.request.subject == request.subject && $0.request.atoms == request.atoms
      }
    }
  }

  /// All that wait.
  var all: [Entry] { entries.withLock { Array($0.values) } }

  var ids: Set<Request.ID> { entries.withLock { Set($0.keys) } }
}
