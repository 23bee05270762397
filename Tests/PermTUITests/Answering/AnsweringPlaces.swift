import Operations
import Synchronization

@testable import PermModel
@testable import PermTUI

/// A place where a person answers, played by strokes at certain times.
enum AnsweringPlace: String, CaseIterable, CustomStringConvertible {
  case dashboard = "the dashboard"
  case together = "the question about several requests"
  case plain = "plain mode"
  case walk = "permtui answer"
  case ownTerminal = "a program's own terminal"

  var description: String { rawValue }

  var isByLine: Bool { self != .dashboard && self != .together }

  /// The number of alerts that the person sees.
  var alerts: Int { self == .together ? 1 : 2 }

  /// Returns the answers that the product accepts.
  func answers(to moments: [AnswerJudge.Moment], slow: Int = 1) async -> [AnswerJudge.Answer] {
    switch self {
    case .dashboard: Self.playDashboard(moments, slow)
    case .together: Self.playTogether(moments, slow)
    case .plain: Self.playPlain(moments, slow)
    case .walk, .ownTerminal: await playLines(moments, slow)
    }
  }

  fileprivate static let first = Samples.alert()
  fileprivate static let second = Samples.alert(label: "curl")
}

// MARK: - By key

extension AnsweringPlace {
  private static func playDashboard(_ moments: [AnswerJudge.Moment], _ slow: Int) -> [AnswerJudge.Answer] {
    var story = Story { $0.preferences.times = PromptTimes(slow: slow) }
    story.present(first)
    story.present(second)
    story.wait(500 * Int64(slow))
    return play(moments, in: &story, yes: "a", no: "d")
  }

  private static func playTogether(_ moments: [AnswerJudge.Moment], _ slow: Int) -> [AnswerJudge.Answer] {
    var story = Story { $0.preferences.times = PromptTimes(slow: slow) }
    story.press("w", " ", " ")
    // This is long enough to make the strokes independent of what came before.
    story.wait(10_000 * Int64(slow))
    story.happen(.keys(["d"]))
    let start = story.now.milliseconds
    let answers = play(moments, in: &story, yes: "y", no: "n")
    // A no has no other effect than the end of the question.
    return answers.isEmpty ? story.formEnds.map { .init(at: $0 - start, isYes: false) } : answers
  }

  private static func play(
    _ moments: [AnswerJudge.Moment], in story: inout Story, yes: Key, no: Key
  ) -> [AnswerJudge.Answer] {
    let start = story.now.milliseconds
    _ = story.takeEffects()
    for moment in moments {
      story.wait(start + moment.at - story.now.milliseconds)
      switch moment.stroke {
      case .yes: story.happen(.keys([yes]))
      case .no: story.happen(.keys([no]))
      case .look: story.happen(.keys(["j"]))
      case .stray: story.happen(.keys(["z"]))
      case .disturbance: story.happen(.resized(story.state.size))
      }
    }
    story.wait(20_000)
    return story.moments.compactMap { moment in
      moment.effect.isYes.map { .init(at: moment.at - start, isYes: $0) }
    }
  }
}

// MARK: - By line

extension AnsweringPlace {
  private static func playPlain(_ moments: [AnswerJudge.Moment], _ slow: Int) -> [AnswerJudge.Answer] {
    var story = PlainStory { $0.preferences.times = PromptTimes(slow: slow) }
    story.present(first)
    story.present(second)
    story.wait(500 * Int64(slow))
    let start = story.now.milliseconds
    for moment in moments {
      story.wait(start + moment.at - story.now.milliseconds)
      if let line = line(moment.stroke) {
        story.send(line + "\n")
      } else {
        story.happen(TerminalEvent.resumed)
      }
    }
    story.wait(20_000)
    return story.moments.compactMap { moment in
      moment.effect.isYes.map { .init(at: moment.at - start, isYes: $0) }
    }
  }

  /// Returns the typed line; `nil` for an event of the process.
  private static func line(_ stroke: AnswerJudge.Stroke) -> String? {
    switch stroke {
    case .yes: "allow"
    case .no: "deny"
    case .look: ""
    case .stray: "ls"
    case .disturbance: nil
    }
  }

  private func playLines(_ moments: [AnswerJudge.Moment], _ slow: Int) async -> [AnswerJudge.Answer] {
    let device = ScriptedDevice(
      moments.map { ($0.at, Self.line($0.stroke).map { .line($0) } ?? .continued) })
    let presenter = LinePresenter(
      device, times: PromptTimes(slow: slow), origin: self == .walk ? .commandLine : nil)
    var answers: [AnswerJudge.Answer] = []
    for alert in [Self.first, Self.second] {
      guard case .answered(let answer)? = try? await presenter.present(alert) else { break }
      answers.append(.init(at: device.now, isYes: answer.verdict == .allow))
    }
    return answers
  }
}

/// A terminal on which lines are typed at certain times of a clock that never waits.
final class ScriptedDevice: LineDevice {
  private struct State {
    var now: Int64 = 0
    var events: [(at: Int64, input: LineInput)]
    var written: [String] = []
  }

  private let state: Mutex<State>

  init(_ events: [(Int64, LineInput)]) { state = Mutex(State(events: events.map { ($0.0, $0.1) })) }

  var now: Int64 { state.withLock { $0.now } }
  var written: [String] { state.withLock { $0.written } }

  func drainInput() {}
  func write(_ lines: [String]) { state.withLock { $0.written += lines } }

  func next(until deadline: Int64?) async -> LineInput {
    state.withLock { state in
      if let event = state.events.first, event.at < deadline ?? .max {
        state.events.removeFirst()
        state.now = max(state.now, event.at)
        return event.input
      }
      guard let deadline else { return .ended }
      state.now = deadline
      return .timeUp
    }
  }
}

extension Effect {
  /// Whether it is a yes or a no; `nil` if it is not an answer.
  fileprivate var isYes: Bool? {
    switch self {
    case .respond(_, .answered(let answer), _): answer.verdict == .allow
    case .answerTogether: true
    default: nil
    }
  }
}
