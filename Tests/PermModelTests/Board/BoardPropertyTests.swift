import Machine
import Testing
import Waiting

@testable import PermModel

@Suite("A board, in any order of events", .usesOneThread, .timeLimit(.minutes(10)))
struct BoardPropertyTests {
  /// The number of random moves. A longer run is asked for in the environment.
  private static let moves = Environment.variable("PERMTUI_BOARD_MOVES").flatMap { Int($0) } ?? 12_000

  private static var limits: RequestLimits.Settings {
    var limits = RequestLimits.Settings()
    limits.program = .init(burst: 3, interval: .seconds(5))
    return limits
  }

  @Test(
    "keeps its promises: one item up, each request ends once, nothing joins what is up, programs take turns",
    arguments: [nil, limits])
  func promises(limits: RequestLimits.Settings?) {
    let start = UInt64.random(in: 0 ..< .max)
    for round in 0..<UInt64(Self.moves / 2 / 300) {
      var random = SeededGenerator(seed: start &+ round)
      let moves = (0..<300).map { _ in BoardMove.random(using: &random) }
      guard let fault = Self.fault(of: moves, limits) else { continue }
      let shortest = Self.shrunk(moves, fault, limits)
      Issue.record("\(fault), seed \(start &+ round): \(shortest)")
      return
    }
  }

  /// Returns the first fault of a game; `nil` if there is none.
  private static func fault(of moves: [BoardMove], _ limits: RequestLimits.Settings?) -> String? {
    var world = BoardWorld(limits: limits)
    for move in moves where world.faults.isEmpty { world.play(move) }
    if world.faults.isEmpty { world.rest() }
    return world.faults.first
  }

  /// Takes moves out as long as there is still a fault.
  private static func shrunk(
    _ moves: [BoardMove], _ fault: String, _ limits: RequestLimits.Settings?
  ) -> [BoardMove] {
    var moves = moves
    var length = moves.count / 2
    while length > 0 {
      var index = 0
      while index < moves.count {
        var fewer = moves
        fewer.removeSubrange(index..<min(index + length, moves.count))
        if Self.fault(of: fewer, limits) != nil { moves = fewer } else { index += length }
      }
      length /= 2
    }
    return moves
  }
}
