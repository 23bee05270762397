package import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves a test out under the thread sanitizer, because it uses one thread and would only be several times as slow there.
  package static var usesOneThread: Self { leftOutUnderThreadSanitizer("It uses one thread.") }

  /// Leaves a test out under the thread sanitizer, because it is about the depth of the stack, which is another one there,
  /// and has so many operations that it would take minutes.
  package static var isAboutStack: Self { leftOutUnderThreadSanitizer("It is about the stack.") }

  private static func leftOutUnderThreadSanitizer(_ reason: Comment) -> Self {
    #if PTHREAD_LOCK
      .disabled(reason)
    #else
      .enabled(if: true)
    #endif
  }
}
