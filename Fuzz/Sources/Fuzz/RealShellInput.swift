@testable import PermModel

/// Lines for real shells, which are compared with both readings of the line. Each byte of an input stands for a piece of
/// a line, so that no line runs anything but programs that note how they are called.
enum RealShellInput {
  /// The oracle lives as long as the process.
  private static let oracle: ShellOracle = {
    do { return try ShellOracle() } catch { fatalError("the shells cannot be set up: \(error)") }
  }()

  static func take(_ bytes: [UInt8]) {
    let tokens = ShellOracle.tokens
    let line = bytes.prefix(24).map { tokens[Int($0) % tokens.count] }.joined()
    guard ShellOracle.isSafe(line), !line.isEmpty else { return }
    let expected = ShellOracle.expectedCalls(of: line).map(sorted)
    for shell in ShellOracle.shells {
      guard let calls = try? oracle.calls(of: [line], in: shell).first else {
        fatalError("\(shell) does not run")
      }
      precondition(expected == nil || expected == sorted(calls), "\(shell) runs something else: \(line)")
      for program in Set(calls.compactMap(\.first)) {
        precondition(ShellOracle.finds(program, in: line), "\(program) is not found: \(line)")
      }
    }
  }

  private static func sorted(_ calls: [[String]]) -> [[String]] {
    calls.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
