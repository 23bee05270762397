import Foundation
import Testing
import Waiting

@testable import PermModel

#if canImport(Glibc)
  import Glibc
#endif

/// Compares both readings of random lines with what shells do.
@Suite("Lines in real shells", .usesOneThread)
struct ShellOracleTests {
  /// The number of lines. `PERMTUI_SHELL_LINES` changes it.
  static let count = getenv("PERMTUI_SHELL_LINES").flatMap { Int(String(cString: $0)) } ?? 200

  private static func line(_ tokens: [String], _ numbers: inout SplitMix) -> String {
    (0..<Int.random(in: 1...10, using: &numbers)).map { _ in
      tokens[Int.random(in: tokens.indices, using: &numbers)] + (Bool.random(using: &numbers) ? " " : "")
    }.joined()
  }

  @Test(
    "A line that is certain runs in each shell what the strict reading says", arguments: ShellOracle.shells)
  func strict(shell: String) throws {
    let oracle = try ShellOracle()
    defer { oracle.remove() }
    var numbers = SplitMix(state: 1)
    var lines: [String] = []
    while lines.count < Self.count {
      let line = Self.line(ShellOracle.plainTokens, &numbers)
      if ShellOracle.expectedCalls(of: line) != nil { lines.append(line) }
    }
    for (line, calls) in zip(lines, try oracle.calls(of: lines, in: shell)) {
      #expect(
        ShellOracle.expectedCalls(of: line)?.sorted(by: isBefore) == calls.sorted(by: isBefore),
        "\(line.debugDescription)")
    }
  }

  @Test("A program that a shell runs is found by the generous reading", arguments: ShellOracle.shells)
  func generous(shell: String) throws {
    let oracle = try ShellOracle()
    defer { oracle.remove() }
    var numbers = SplitMix(state: 2)
    let lines = (0..<(5 * Self.count)).map { _ in Self.line(ShellOracle.tokens, &numbers) }.filter(
      ShellOracle.isSafe)
    var found = 0
    for (line, calls) in zip(lines, try oracle.calls(of: lines, in: shell)) {
      for program in Set(calls.compactMap(\.first)) {
        found += 1
        #expect(ShellOracle.finds(program, in: line), "\(program) in \(line.debugDescription)")
      }
    }
    #expect(found > Self.count / 4)
  }
}

private func isBefore(_ one: [String], _ other: [String]) -> Bool { one.lexicographicallyPrecedes(other) }

/// A sequence of random numbers that is the same in each run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
