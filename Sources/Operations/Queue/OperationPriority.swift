/// How soon an operation gets its turn, compared with others that wait for the same thing.
///
/// A higher priority overtakes a lower one, but nobody is overtaken more than a fixed number of times.
public enum OperationPriority: UInt8, Sendable, CaseIterable, Comparable {
  case veryLow
  case low
  case normal
  case high
  case veryHigh

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
