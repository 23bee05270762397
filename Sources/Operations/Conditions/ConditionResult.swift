/// What a look at a condition found.
public enum ConditionResult: Sendable {
  case satisfied
  /// The condition does not hold. If it is curable, its remedy may still bring it about; if not, the operation
  /// fails at once, before anybody is prompted for it.
  case failed(any Error, curable: Bool)
  /// The operation shall not run, and that is no error.
  case skipped(reason: String)
}
