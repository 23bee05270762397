package import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves a test out under the thread sanitizer, because it uses one thread and would only be several times as slow there.
  package static var usesOneThread: Self {
    #if PTHREAD_LOCK
      .disabled("It uses one thread.")
    #else
      .enabled(if: true)
    #endif
  }
}
