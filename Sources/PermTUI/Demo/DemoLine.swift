import Operations
import PermModel

/// The outcome of one program of the demo.
struct DemoLine: Hashable, Sendable {
  var program: String
  var hasRun: Bool
  /// The work that the program did, or the reason why it did not run.
  var words: String

  /// - Parameter excuse: A closure that explains failed conditions better than their errors do, or returns `nil`.
  init(
    _ program: String, _ outcome: OperationOutcome, output: String?, excuse: (ConditionsFailed) -> String?
  ) {
    self.program = program
    hasRun = output != nil
    words = output ?? Self.words(for: outcome, excuse)
  }

  private static func words(
    for outcome: OperationOutcome, _ excuse: (ConditionsFailed) -> String?
  ) -> String {
    switch outcome {
    case .succeeded: return "Done."
    case .skipped(let reason): return reason
    case .cancelled: return "The demo ended before."
    case .failed(let failed as ConditionsFailed):
      return excuse(failed) ?? failed.failures.map { "\($0.error)" }.joined(separator: "; ")
    case .failed(let error): return "\(error)"
    }
  }
}

extension [DemoLine] {
  /// The outcomes as a table with one line for each program. A line says whether the program ran, and what it
  /// did or why it did not run.
  var report: [String] {
    let width = map(\.program.count).max() ?? 0
    return map { line in
      let program = line.program + String(repeating: " ", count: width - line.program.count)
      return "\(program)  \(line.hasRun ? "ran    " : "did not")  \(line.words)"
    }
  }
}
