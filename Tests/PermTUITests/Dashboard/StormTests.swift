import Foundation
import PermModel
import Testing

@testable import PermTUI

/// Throws random events at the dashboard and checks what must hold whatever happens.
@Suite("A storm of keys")
struct StormTests {
  /// How many events; continuous integration asks for more.
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

  /// What a storm has seen so far.
  private struct Witness {
    var lastInput: Int64 = .min
    var shownSince: Int64 = .max
    var answers = 0
  }

  @Test("Never a crash, never an answer that was not armed, every frame exactly as large as the screen")
  func storm() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    var state = Storms.state()
    var now = EventTime(milliseconds: 1_000, wall: Story.start)
    var witness = Witness()
    for step in 0..<Self.length {
      pass(Storms.pause(&random), &now)
      let action = Storms.action(
        step, &random, keys: Self.keys, sizes: Self.sizes, isFull: state.waitingCount > 12)
      let before = state
      let effects = state.update(action, at: now)
      witness.answers += check(effects, of: action, from: before, at: now, witness, seed)
      remember(action, before, state, now, &witness)
      if step % 50 == 0 || step < 200 { checkFrame(state, seed) }
    }
    #expect(witness.answers > 10, "the storm was too weak to say anything, seed \(seed)")
  }

  private func pass(_ milliseconds: Int64, _ now: inout EventTime) {
    now.milliseconds += milliseconds
    now.wall = now.wall + .milliseconds(milliseconds)
  }

  /// Every answer needs a visible alert, half a second of quiet before it, and one key alone.
  private func check(
    _ effects: [Effect], of action: Action, from before: State, at now: EventTime, _ witness: Witness,
    _ seed: UInt64
  ) -> Int {
    let answers = effects.filter(\.isAnswer)
    guard !answers.isEmpty else { return 0 }
    guard case .keys(let keys) = action, let form = before.form else {
      Issue.record("answered by \(action), seed \(seed)")
      return 0
    }
    #expect(keys.count == 1, "a burst answered, seed \(seed)")
    #expect(!before.isTooSmall && form.page == .facts && !form.isWithdrawn, "seed \(seed)")
    #expect(
      now.milliseconds - witness.shownSince >= 500, "answered before it was visible long enough, seed \(seed)"
    )
    if answers.contains(where: \.allows) {
      #expect(form.hasShownAll, "allowed before all of it was seen, seed \(seed)")
      #expect(Storms.allowing.contains(keys[0]), "\(keys) allowed, seed \(seed)")
      #expect(
        keys[0] != .enter || [.allow, .confirm].contains(form.focused) || form.entry == .typedWord,
        "seed \(seed)")
    }
    return answers.count
  }

  private func remember(
    _ action: Action, _ before: State, _ after: State, _ now: EventTime, _ witness: inout Witness
  ) {
    let isCovered = after.form == nil || after.form?.page != .facts || after.isTooSmall
    let isNew = before.form?.alertID != after.form?.alertID || (before.form == nil) != (after.form == nil)
    switch action {
    case .paste, .noise, .resized: witness.shownSince = now.milliseconds
    default:
      if isCovered || isNew || before.form?.page != after.form?.page { witness.shownSince = now.milliseconds }
    }
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
    case .respond(_, let response): response != .setAside
    case .decide: true
    default: false
    }
  }

  fileprivate var allows: Bool {
    switch self {
    case .respond(_, .answered(let answer)), .decide(_, _, let answer): answer.verdict == .allow
    case .respond(_, .confirmed): true
    default: false
    }
  }
}

/// Makes random events.
enum Storms {
  /// The keys that can ever lead to a yes.
  static let allowing: Set<Key> = ["a", "y", .enter]

  static func state() -> State {
    var story = Story()
    story.wait(1_000)
    return story.state
  }

  static func pause(_ random: inout SplitMix) -> Int64 {
    [0, 0, 1, 5, 30, 200, 499, 500, 501, 700, 1_500].randomElement(using: &random) ?? 0
  }

  static func action(
    _ step: Int, _ random: inout SplitMix, keys: [Key], sizes: [(Int, Int)], isFull: Bool
  ) -> Action {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<80: .keys([keys.randomElement(using: &random) ?? "j"])
    case 80..<84: .keys((0..<3).map { _ in keys.randomElement(using: &random) ?? "j" })
    case 84: .paste("yes\ra\u{1b}")
    case 85: .noise
    case 86: resize(&random, sizes)
    case 87..<93:
      isFull ? .withdrawn(alertID(Int.random(in: 0..<40, using: &random))) : .presented(alert(step, &random))
    case 93: .withdrawn(alertID(Int.random(in: 0..<40, using: &random)))
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
