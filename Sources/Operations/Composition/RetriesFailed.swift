/// All attempts failed.
public struct RetriesFailed: Error, CustomStringConvertible {
  /// So many errors are kept.
  public static let keptErrors = 100

  /// How many attempts there were.
  public private(set) var attempts = 0

  /// What the attempts failed with, in order; of many attempts, the last hundred.
  public private(set) var errors: [any Error] = []

  public init(_ errors: [any Error] = []) {
    for error in errors { append(error) }
  }

  mutating func append(_ error: any Error) {
    attempts += 1
    if errors.count == Self.keptErrors { errors.removeFirst() }
    errors.append(error)
  }

  /// The first error of a type, also inside groups, attempts and conditions.
  public func first<Wanted: Error>(_ type: Wanted.Type) -> Wanted? {
    errors.lazy.compactMap { find(type, in: $0) }.first
  }

  public var description: String {
    let last = errors.last.map { "\($0)" } ?? "none"
    return attempts == 1
      ? "The only attempt failed: \(last)" : "\(attempts) attempts failed, the last with: \(last)"
  }
}
