/// The rows of the desktop's store that our answers have made, and how long each may stay there.
///
/// After every answer the portal writes a row that it never takes back: a yes, also for an answer that was meant for once,
/// and a no, also if nobody has answered. A lease says which of them may stay: a yes for ten seconds, so that the app can
/// begin, and each for as long as the decisions say the same. A row that was there before, or that somebody else writes
/// later, is never touched.
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
    /// The moment until which the portal's own write is expected.
    var settlesAt: Int64?
    /// The moment until which a yes stays, whatever the decisions say.
    var staysUntil: Int64?
    /// Whether a change of the row is under way.
    var isChanging = false
  }

  /// The time for which an answer for once holds, and for which the portal's write is waited for, in milliseconds.
  static let grace: Int64 = 10_000

  private(set) var leases: [PermissionRow: Lease] = [:]

  var rows: [PermissionRow] { Array(leases.keys) }
}

// MARK: - Events

extension LeaseBook {
  /// A dialogue about a row that was not there has opened.
  mutating func open(_ row: PermissionRow) { leases[row, default: Lease()].asking += 1 }

  /// A dialogue has ended.
  ///
  /// - Parameter ruling: The person's answer; `open` if there was none.
  mutating func close(_ row: PermissionRow, _ ruling: RowRuling, at now: Int64) {
    guard var lease = leases[row] else { return }
    lease.asking -= 1
    lease.settlesAt = now + Self.grace
    switch ruling {
    case .allow: lease.staysUntil = now + Self.grace
    case .deny: lease.staysUntil = nil
    case .open, .lesser: break
    }
    leases[row] = lease
  }

  /// Takes up a lease of an earlier process, whose dialogues have ended with it.
  mutating func resume(_ row: PermissionRow, value: String?, at now: Int64) {
    leases[row] = Lease(value: value, settlesAt: value == nil ? now + Self.grace : nil)
  }

  /// The row is not ours: it was there before the dialogue.
  mutating func release(_ row: PermissionRow) { leases[row] = nil }

  /// The row was looked up.
  mutating func see(_ row: PermissionRow, _ value: String?, at now: Int64) {
    guard var lease = leases[row] else { return }
    if !lease.isOpen(at: now), value != lease.value, !lease.isChanging {
      // Somebody else has written it, or removed it.
      leases[row] = nil
      return
    }
    (lease.value, lease.isChanging) = (value, false)
    leases[row] = lease
  }
}

extension LeaseBook.Lease {
  /// Whether what is written to the row now is the portal's doing.
  fileprivate func isOpen(at now: Int64) -> Bool { asking > 0 || now < settlesAt ?? .min }

  fileprivate func stays(at now: Int64) -> Bool { now < staysUntil ?? .min }
}

// MARK: - Steps

extension LeaseBook {
  /// Returns what has to be changed now, and forgets the leases that have ended.
  mutating func due(at now: Int64, _ ruling: (PermissionRow) -> RowRuling) -> [Step] {
    var steps: [Step] = []
    for (row, lease) in leases where !lease.isChanging {
      guard let value = lease.value else {
        if !lease.isOpen(at: now) { leases[row] = nil }
        continue
      }
      guard let use = PortalUse(row), use.meaning(of: value) != .other else {
        leases[row] = nil
        continue
      }
      let ruling = ruling(row)
      // From then on, the decisions alone say how long the row stays.
      if ruling == .allow { leases[row]?.staysUntil = nil }
      guard let step = lease.step(row, use.meaning(of: value), ruling, at: now) else { continue }
      leases[row]?.isChanging = true
      steps.append(step)
    }
    return steps
  }

  /// The next moment at which something becomes due by itself.
  func nextMoment(after now: Int64) -> Int64? {
    leases.values.flatMap { [$0.settlesAt, $0.staysUntil] }.compactMap(\.self).filter { $0 > now }.min()
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
    return meaning == .yes || isOpen(at: now) ? .set(row, wanted) : .delete(row)
  }
}
