import Foundation
import Testing

/// Runs each test of a suite several times: once, or as often as the variable `PERMTUI_WALLS_ROUNDS` says. A loss of data
/// that happens once in a hundred rounds is a loss.
struct Repeated: SuiteTrait, TestTrait, TestScoping {
  static let rounds = max(
    1, ProcessInfo.processInfo.environment["PERMTUI_WALLS_ROUNDS"].flatMap(Int.init) ?? 1)

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    for _ in 0..<Self.rounds { try await body() }
  }
}

extension Trait where Self == Repeated {
  static var repeated: Self { Repeated() }
}

extension Trait where Self == TimeLimitTrait {
  /// The limit for tests that run several times.
  static func timeLimitOfEachRound(minutes: Int) -> Self { .timeLimit(.minutes(minutes * Repeated.rounds)) }
}
