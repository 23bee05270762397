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

  /// Those of some requests that clients of this broker wait for.
  func entries(of ids: [Request.ID]) -> [Entry] {
    entries.withLock { entries in ids.compactMap { entries[$0] } }
  }

  var ids: Set<Request.ID> { entries.withLock { Set($0.keys) } }
}
