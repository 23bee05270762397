/// The error of an operation whose attempts have all failed.
public struct RetriesFailed: Error, CustomStringConvertible {
  /// The maximum number of errors that are kept.
  public static let keptErrors = 100

  /// The number of attempts.
  public private(set) var attempts = 0

  /// The errors of the attempts, in order. If there were more than a hundred, these are the last hundred.
  public private(set) var errors: [any Error] = []

  public init(_ errors: [any Error] = []) {
    for error in errors { append(error) }
  }

  mutating func append(_ error: any Error) {
    attempts += 1
    if errors.count == Self.keptErrors { errors.removeFirst() }
    errors.append(error)
  }

  /// Returns the first error of a given type, including those inside groups, attempts and conditions.
  public func first<Wanted: Error>(_ type: Wanted.Type) -> Wanted? {
    errors.lazy.compactMap { find(type, in: $0) }.first
  }

  public var description: String {
    let last = errors.last.map { "\($0)" } ?? "none"
    return attempts == 1
      ? "The only attempt failed: \(last)" : "\(attempts) attempts failed, the last with: \(last)"
  }
}
