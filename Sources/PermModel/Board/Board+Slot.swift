// The modal slot: which item claims, holds and leaves it.

extension Board {
  /// Lets an item wait for the slot.
  mutating func lineUp(_ id: Item.ID) {
    guard let item = items[id] else { return }
    if item.hasLease { return claim(for: id) }
    line.join(id, of: item.program, givingUpAt: item.deadline)
    advance()
  }

  /// Claims the slot for the items in line, if there are any and nobody has claimed it for them yet.
  ///
  /// An item with a lease has a claim of its own. The item that has its program's turn might wait for the operation that
  /// holds the lease, and that operation waits for the item with the lease.
  mutating func advance() {
    if !line.isEmpty, !claims.values.contains(where: { $0.lender == nil }) { claim(for: nil) }
  }

  private mutating func claim(for lender: Item.ID?) {
    let id = makeNumber()
    claims[id] = Claim(lender: lender)
    emit(.claim(id, for: lender))
  }

  /// The name of a claim: what would be shown if it were granted now.
  func nameOfClaim(for lender: Item.ID?) -> String {
    (lender ?? line.first).flatMap { items[$0]?.listed.summary } ?? "alert"
  }

  /// Takes a claim that was granted.
  mutating func granted(_ id: Claim.ID) {
    guard let claim = claims[id] else { return }
    claims[id]?.isGranted = true
    guard let holder = claim.lender ?? line.takeFirst(), items[holder] != nil else { return release(id) }
    claims[id]?.holder = holder
    items[holder]?.claim = id
    items[holder]?.phase = .first
    offer(holder)
    riseIfWanted(holder)
  }

  /// Takes a claim that cannot be granted.
  mutating func refused(_ id: Claim.ID, _ error: any Error) {
    guard let claim = claims.removeValue(forKey: id) else { return }
    if let item = claim.lender ?? line.takeFirst() { settle(item, .failure(error)) }
    advance()
  }

  private mutating func release(_ id: Claim.ID) {
    claims[id] = nil
    emit(.release(id))
    advance()
  }

  /// Ends an item's wait for the slot, or its hold of the slot. The slot is released once no screen shows the item.
  mutating func leaveLine(_ id: Item.ID) {
    guard let item = items[id] else { return }
    guard let held = item.claim else { return leaveUnclaimed(item) }
    items[id]?.claim = nil
    if let program = item.program { line.endTurn(of: program) }
    claims[held]?.holder = nil
    claims[held]?.leaving = Set(leaving.keys.filter { $0.item == id })
    releaseIfLeft(held)
  }

  private mutating func leaveUnclaimed(_ item: Item) {
    if item.phase == .inLine { line.remove(item.id, of: item.program) }
    let own = claims.filter { $1.lender == item.id }.keys
    for id in own { release(id) }
  }

  /// Notes that a screen no longer shows an item that was taken away there.
  mutating func left(_ visit: Visit) {
    for (id, claim) in claims where claim.leaving.contains(visit) {
      claims[id]?.leaving.remove(visit)
      releaseIfLeft(id)
    }
  }

  private mutating func releaseIfLeft(_ id: Claim.ID) {
    if let claim = claims[id], claim.holder == nil, claim.leaving.isEmpty { release(id) }
  }
}
