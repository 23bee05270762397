import Foundation
import PermModel
import Testing

@testable import PermTUI

/// Sends random events to the dashboard and checks the invariants.
@Suite("A storm of keys")
struct StormTests {
  /// The number of events; `make check-long` asks for more.
  private static let length =
    ProcessInfo.processInfo.environment["PERMTUI_STORM_KEYS"].flatMap { Int($0) } ?? 20_000

  private static let keys: [Key] =
    "adynMmrtwlpocsSuxegGjk/!?q1234567 zZ".map { Key.character($0) } + [
      .enter, .escape, .tab, .backTab, .backspace, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
      .control("d"), .control("u"), .function(5),
    ]

  private static let sizes = [
    (80, 24), (60, 15), (120, 40), (200, 60), (59, 20), (80, 14), (3, 2), (0, 0), (61, 16),
  ]

  @Test("Never a crash, never an answer that the model does not allow, every frame as large as the screen")
  func storm() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    var state = Storms.state()
    var now = EventTime(milliseconds: 1_000, wall: Story.start)
    var witness = StormWitness()
    var screen = AlertScreen()
    var allowed = 0
    let enough = Self.length / 4_000
    // A storm that happens to allow little goes on, for at most twice as long.
    for step in 0..<2 * Self.length where step < Self.length || allowed <= enough {
      let end = now.milliseconds + Storms.pause(&random)
      while let deadline = state.nextDeadline, deadline <= end {
        now.pass(to: max(deadline, now.milliseconds))
        allowed += take(.tick, at: now, &state, &witness, seed)
        if let next = state.nextDeadline, next <= now.milliseconds { break }
      }
      now.pass(to: end)
      let action = Storms.action(
        step, &random, &screen, keys: Self.keys, sizes: Self.sizes, isFull: state.desk.waitingCount > 12)
      allowed += take(action, at: now, &state, &witness, seed)
      if step % 50 == 0 || step < 200 { checkFrame(state, seed) }
    }
    #expect(allowed > enough, "the storm was too weak to say anything, seed \(seed)")
  }

  /// Performs an action, and has the model judge which answers it allows.
  ///
  /// - Returns: The number of answers that allowed something.
  private func take(
    _ action: Action, at now: EventTime, _ state: inout State, _ witness: inout StormWitness, _ seed: UInt64
  ) -> Int {
    let shown = state.desk.form
    witness.see(action, at: now.milliseconds, state)
    let effects = state.update(action, at: now)
    let answers = effects.filter(\.isAnswer)
    for answer in answers {
      let isMeant = witness.allows(answer, of: shown, at: now.milliseconds)
      #expect(isMeant, "\(answer) at \(now.milliseconds), after \(witness), seed \(seed)")
    }
    if !answers.isEmpty { witness.noteAnswer() }
    checkLine(state.desk, seed)
    witness.see(frameOf: state, at: now.milliseconds)
    state.painted(at: now)
    return answers.count { $0.isAllow }
  }

  /// Checks that the line of what waits is as if it had just been made.
  private func checkLine(_ desk: Desk, _ seed: UInt64) {
    let (kept, new) = (desk.waiting, WaitingLine(desk))
    #expect(kept.items.map(\.id) == new.items.map(\.id), "seed \(seed)")
    #expect(kept.items.map(kept.place) == new.items.map(new.place), "seed \(seed)")
    #expect(kept.items.map { kept[$0.id]?.id } == kept.items.map(\.id), "seed \(seed)")
  }

  private func checkFrame(_ state: State, _ seed: UInt64) {
    let grid = Grid(showing: state, size: state.size)
    #expect(
      grid.size == state.size && grid.cells.count == state.size.width * state.size.height, "seed \(seed)")
    if let cursor = grid.cursor?.position {
      #expect(
        (0..<state.size.height).contains(cursor.row) && (0..<state.size.width).contains(cursor.column),
        "the cursor is at \(cursor) of \(state.size), seed \(seed)")
    }
  }
}

extension Effect {
  fileprivate var isAnswer: Bool {
    switch self {
    case .respond(_, let response, _): response != .setAside && response != .acknowledged
    case .decide, .answer, .answerTogether: true
    default: false
    }
  }
}

/// A generator of random events.
enum Storms {
  static func state() -> State {
    var story = Story()
    story.wait(1_000)
    return story.state
  }

  static func pause(_ random: inout SplitMix) -> Int64 {
    [0, 0, 1, 5, 30, 39, 41, 120, 200, 249, 250, 251, 299, 300, 301, 499, 500, 501, 700, 749, 750, 1_500]
      .randomElement(using: &random) ?? 0
  }

  static func action(
    _ step: Int, _ random: inout SplitMix, _ screen: inout AlertScreen, keys: [Key], sizes: [(Int, Int)],
    isFull: Bool
  ) -> Action {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<80: .keys([keys.randomElement(using: &random) ?? "j"])
    case 80..<84: .keys((0..<3).map { _ in keys.randomElement(using: &random) ?? "j" })
    case 84: .paste("yes\ra\u{1b}")
    case 85: .noise
    case 86: [resize(&random, sizes), .focused, .heldUp, .repeated].randomElement(using: &random) ?? .focused
    case 87..<92 where !isFull: .pictured(screen.present(alert(step, &random)))
    case 92: .pictured(screen.back(alertID(Int.random(in: 0..<40, using: &random)), .random(using: &random)))
    case 87..<94: .pictured(screen.withdraw(alertID(Int.random(in: 0..<40, using: &random))))
    case 94: .changed(data(&random))
    case 95: .exampleEnded(capability: "photos", .done(["\u{202e}x", "日本"]))
    default: .tick
    }
  }

  private static func resize(_ random: inout SplitMix, _ sizes: [(Int, Int)]) -> Action {
    let size = sizes.randomElement(using: &random) ?? (80, 24)
    return .resized(Size(width: size.0, height: size.1))
  }

  private static func alertID(_ number: Int) -> Alert.ID { Alert.ID("storm-\(number)") }

  private static func alert(_ step: Int, _ random: inout SplitMix) -> Alert {
    let contents = [
      Samples.alert().content, Samples.hostileAlert.content, Samples.alert(severity: .severe).content,
      Samples.confirmation.content, Samples.notice.content,
    ]
    return Alert(
      id: alertID(step % 40), content: contents.randomElement(using: &random) ?? Samples.notice.content)
  }

  private static func data(_ random: inout SplitMix) -> DashboardData {
    var data = Samples.data(
      decisions: Samples.decisions.filter { _ in Bool.random(using: &random) },
      waiting: Samples.waiting.filter { _ in Bool.random(using: &random) }.map(Samples.item))
    data.capabilities = data.capabilities.filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
    data.journal = Samples.journal
    data.operations = Samples.operations
    data.panicSince = Int.random(in: 0..<4, using: &random) == 0 ? Story.start : nil
    return data
  }
}

extension EventTime {
  fileprivate mutating func pass(to moment: Int64) {
    wall = wall + .milliseconds(moment - milliseconds)
    milliseconds = moment
  }
}
