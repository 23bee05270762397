/// What a store needs of the world around it: clocks, ids, and the life signs of sessions and processes.
public struct StoreEnvironment: Sendable {
  /// The present moment.
  public var now: @Sendable () -> Moment
  /// A random id that nobody can guess.
  public var makeID: @Sendable () -> String
  /// The process that this code runs in.
  public var thisProcess: ProcessIdentity

  public init(
    now: @escaping @Sendable () -> Moment, makeID: @escaping @Sendable () -> String,
    thisProcess: ProcessIdentity
  ) {
    self.now = now
    self.makeID = makeID
    self.thisProcess = thisProcess
  }
}

extension StoreEnvironment {
  /// 128 random bits as 32 hexadecimal digits.
  public static func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
