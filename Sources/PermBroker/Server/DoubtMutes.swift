import Machine
import PermModel

/// The programs that a person muted though they could not be told: by their process's user, family and chain of
/// parents, so that another label does not help them.
///
/// Each mute is a decision of the store as well, under the label that was muted, and ends with it.
final class DoubtMutes: Sendable {
  /// What is left to tell such programs apart.
  private struct Key: Hashable {
    var user: UInt32
    var family: Family
    var chain: [String]

    /// `nil` for a program that can be told.
    init?(_ entry: WaitingBook.Entry) {
      guard entry.seen.file == nil else { return nil }
      user = entry.peer.user
      family = entry.payer.family
      chain = entry.seen.evidence.chain
    }
  }

  private let mutes = Lock<[Key: Subject]>([:])
  private let store: any PermissionStore

  init(_ store: any PermissionStore) {
    self.store = store
  }

  /// The mute that holds for a program that cannot be told; `nil` if there is none.
  func mute(of entry: WaitingBook.Entry) throws(StoreError) -> Decision? {
    guard let key = Key(entry), let muted = mutes.withLock({ $0[key] }) else { return nil }
    let mute = try store.standing(of: muted, capability: entry.request.capability).mute
    if mute == nil { mutes.withLock { $0[key] = nil } }
    return mute
  }

  /// Notes after a denial whether the person muted the program with it.
  func note(_ entry: WaitingBook.Entry) throws(StoreError) {
    guard let key = Key(entry),
      try store.standing(of: entry.request.subject, capability: entry.request.capability).mute != nil
    else { return }
    mutes.withLock { $0[key] = entry.request.subject }
  }
}
