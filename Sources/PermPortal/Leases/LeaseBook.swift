/// The rows of the desktop's store that our answers have made, and how long each may stay there.
///
/// After every answer the portal writes a row that it never takes back: a yes, also for an answer that was meant for once,
/// and a no, also if nobody has answered. A lease says which of them may stay: a yes for ten seconds, so that the app can
/// begin, and each for as long as the decisions say the same. A row that was there before, or that somebody else writes
/// later, is never touched. The desktop's service does not say who has written a row, so the portal's writes are known by
/// what it has to write after an answer, once for each dialogue.
struct LeaseBook: Sendable {
  /// A change that the desktop's store needs.
  enum Step: Hashable, Sendable {
    case delete(PermissionRow)
    case set(PermissionRow, PortalUse.Meaning)

    var row: PermissionRow {
      switch self {
      case .delete(let row), .set(let row, _): row
      }
    }
  }

  struct Lease: Hashable, Sendable {
    /// The number of open dialogues about the row.
    var asking = 0
    /// The value as it was seen last; `nil` if the row was not there.
    var value: String?
    /// Whether somebody else has written that value while a dialogue is open. The portal still writes over it.
    var isForeign = false
    /// The values that the portal has still to write, one for each dialogue that has ended.
    var expected: [PortalUse.Meaning] = []
    /// The moment until which the portal's own write is expected.
    var settlesAt: Int64?
    /// The moment until which a yes stays, whatever the decisions say.
    var staysUntil: Int64?
    /// The change of the row that is under way.
    var change: Step?
    /// The change that the desktop's service did not make; `nil` if it made the last one.
    var refusal: Refusal?
  }

  /// The time for which an answer for once holds, and for which the portal's write is waited for, in milliseconds.
  static let grace: Int64 = 10_000

  var leases: [PermissionRow: Lease] = [:]

  var rows: [PermissionRow] { Array(leases.keys) }
}

// MARK: - Events

extension LeaseBook {
  /// A dialogue about a row that was not there has opened.
  mutating func open(_ row: PermissionRow) { leases[row, default: Lease()].asking += 1 }

  /// A dialogue has ended.
  ///
  /// - Parameters:
  ///   - ruling: The person's answer; `open` if there was none.
  ///   - isWritten: Whether the portal is there to write the answer.
  mutating func close(_ row: PermissionRow, _ ruling: RowRuling, isWritten: Bool = true, at now: Int64) {
    guard var lease = leases[row] else { return }
    lease.asking -= 1
    if isWritten {
      // Everything but a yes to the whole is a no to the portal.
      lease.expected.append(ruling == .allow ? .yes : .no)
      lease.settlesAt = now + Self.grace
    }
    switch ruling {
    case .allow: lease.staysUntil = now + Self.grace
    case .deny: lease.staysUntil = nil
    case .open, .lesser: break
    }
    leases[row] = lease
  }

  /// Takes up a lease of an earlier process, whose dialogues have ended with it.
  mutating func resume(_ row: PermissionRow, value: String?, at now: Int64) {
    var lease = Lease(value: value)
    if value == nil {
      // The answer may have been given just before that process ended.
      (lease.expected, lease.settlesAt) = ([.no, .yes], now + Self.grace)
    }
    leases[row] = lease
  }

  /// The row was looked up.
  mutating func see(_ row: PermissionRow, _ value: String?, at now: Int64) {
    guard var lease = leases[row], let use = PortalUse(row) else { return }
    guard value != lease.value else { return }
    lease.refusal = nil
    if lease.takeOwn(value, value.map(use.meaning), at: now) {
      lease.isForeign = false
    } else if lease.isOpen(at: now) {
      lease.isForeign = value != nil
    } else {
      leases[row] = nil
      return
    }
    lease.value = value
    leases[row] = lease
  }

  /// Ends what holds for a few seconds only, because this process will not be there to take it back.
  mutating func stop() { for row in rows { leases[row]?.staysUntil = nil } }

  /// Whether the portal or the desktop's service has still to write something that is wanted or has to be corrected.
  func isSettling(at now: Int64) -> Bool {
    leases.values.contains { $0.change != nil || !$0.expected.isEmpty && now < $0.settlesAt ?? .min }
  }
}

extension LeaseBook.Lease {
  /// Whether the portal has still to write the row.
  fileprivate func isOpen(at now: Int64) -> Bool {
    asking > 0 || !expected.isEmpty && now < settlesAt ?? .min
  }

  fileprivate func isKept(at now: Int64) -> Bool { asking > 0 || now < settlesAt ?? .min }

  fileprivate func stays(at now: Int64) -> Bool { now < staysUntil ?? .min }

  /// Takes a new value as the portal's or as our own. Returns false if neither has to write it.
  fileprivate mutating func takeOwn(
    _ value: String?, _ meaning: PortalUse.Meaning?, at now: Int64
  ) -> Bool {
    if let change, change.result == meaning {
      self.change = nil
      return true
    }
    guard let meaning, now < settlesAt ?? .min, let place = expected.firstIndex(of: meaning) else {
      return false
    }
    expected.remove(at: place)
    change = nil
    return true
  }
}

extension LeaseBook.Step {
  /// The meaning of the row after the change; `nil` if it is gone.
  fileprivate var result: PortalUse.Meaning? {
    switch self {
    case .delete: nil
    case .set(_, let meaning): meaning
    }
  }
}

// MARK: - Steps

extension LeaseBook {
  /// Returns what has to be changed now, and forgets the leases that have ended.
  mutating func due(at now: Int64, _ ruling: (PermissionRow) -> RowRuling) -> [Step] {
    var steps: [Step] = []
    for (row, lease) in leases where lease.change == nil {
      guard let value = lease.value, !lease.isForeign else {
        if !lease.isKept(at: now) { leases[row] = nil }
        continue
      }
      guard let use = PortalUse(row), use.meaning(of: value) != .other else {
        leases[row] = nil
        continue
      }
      let ruling = ruling(row)
      // From then on, the decisions alone say how long the row stays.
      if ruling == .allow { leases[row]?.staysUntil = nil }
      guard let step = lease.step(row, use.meaning(of: value), ruling, at: now) else {
        leases[row]?.refusal = nil
        continue
      }
      if lease.refusal?.pauses(step, at: now) == true { continue }
      leases[row]?.change = step
      steps.append(step)
    }
    return steps
  }

  /// The next moment at which something becomes due by itself.
  func nextMoment(after now: Int64) -> Int64? {
    leases.values.flatMap { [$0.settlesAt, $0.staysUntil, $0.refusal?.triesAt] }.compactMap(\.self).filter {
      $0 > now
    }.min()
  }
}

extension LeaseBook.Lease {
  fileprivate func step(
    _ row: PermissionRow, _ meaning: PortalUse.Meaning, _ ruling: RowRuling, at now: Int64
  ) -> LeaseBook.Step? {
    let mayStay: PortalUse.Meaning? =
      switch ruling {
      case .allow: .yes
      case .lesser: .lesser
      case .deny: .no
      case .open: nil
      }
    // A yes for once also outlives the no of another dialogue that nobody has answered.
    let wanted = mayStay ?? (stays(at: now) ? .yes : nil)
    if meaning == wanted { return nil }
    guard let wanted, wanted != .no else { return .delete(row) }
    // A row that the portal wrote after a dialogue is corrected. When decisions end, a row is only ever removed.
    return meaning == .yes || isKept(at: now) ? .set(row, wanted) : .delete(row)
  }
}
