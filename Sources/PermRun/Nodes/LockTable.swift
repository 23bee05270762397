/// The locks that programs inside hold on one file. The warden holds their union on the host.
struct LockTable {
  /// A locked range of bytes. `end` is the last byte that is locked.
  struct Range: Hashable {
    var owner: UInt64
    /// The handle through which the lock was taken. A lock of an open file description ends with it.
    var handle: UInt64
    var start: Int
    var end: Int
    var isExclusive: Bool

    func overlaps(_ other: Range) -> Bool { start <= other.end && other.start <= end }
  }

  private(set) var ranges: [Range] = []
  /// The locks of whole files, by owner: whether each is exclusive.
  private(set) var whole: [UInt64: Bool] = [:]

  var isEmpty: Bool { ranges.isEmpty && whole.isEmpty }

  /// Returns a lock of another owner that excludes this one.
  func conflict(with wanted: Range) -> Range? {
    ranges.first {
      $0.owner != wanted.owner && $0.overlaps(wanted) && ($0.isExclusive || wanted.isExclusive)
    }
  }

  /// Replaces what the owner has locked in the range.
  mutating func lock(_ range: Range) {
    unlock(range)
    ranges.append(range)
  }

  mutating func unlock(_ range: Range) {
    ranges = ranges.flatMap { $0.owner == range.owner ? $0.without(range) : [$0] }
  }

  /// Removes the locks that fulfil a condition, and returns them.
  mutating func remove(where isMeant: (Range) -> Bool) -> [Range] {
    let removed = ranges.filter(isMeant)
    ranges.removeAll(where: isMeant)
    return removed
  }

  /// Returns the parts of a range that nobody has locked.
  func free(in range: Range) -> [Range] {
    ranges.reduce([range]) { parts, held in parts.flatMap { $0.without(held) } }
  }

  // MARK: Locks of whole files

  func excludes(_ owner: UInt64, exclusively: Bool) -> Bool {
    whole.contains { $0.key != owner && ($0.value || exclusively) }
  }

  mutating func lockWhole(_ owner: UInt64, exclusively: Bool?) { whole[owner] = exclusively }

  /// The lock of the whole file that the host must have: `nil` for none, or whether it is exclusive.
  var wholeUnion: Bool? { whole.isEmpty ? nil : whole.values.contains(true) }
}

extension LockTable.Range {
  /// Returns the parts of this range that lie outside of another one.
  func without(_ other: LockTable.Range) -> [LockTable.Range] {
    guard overlaps(other) else { return [self] }
    var (before, after) = (self, self)
    var parts: [LockTable.Range] = []
    if start < other.start {
      before.end = other.start - 1
      parts.append(before)
    }
    if end > other.end {
      after.start = other.end + 1
      parts.append(after)
    }
    return parts
  }
}
