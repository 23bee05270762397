/// A judge of the answers given by keys at certain times. It knows the times of keys and of painted frames, and shares
/// no code with the product.
struct AnswerJudge {
  /// An action of the person, or an event of the terminal.
  enum Stroke: Character, Hashable {
    case yes = "y"
    case no = "n"
    /// Scrolls, or asks for the text again.
    case look = "s"
    /// A key or a word without a meaning here.
    case stray = "x"
    /// The window changed, or the process continues after a stop.
    case disturbance = "r"
  }

  struct Moment: Hashable {
    var at: Int64
    var stroke: Stroke
  }

  struct Answer: Hashable, CustomStringConvertible {
    var at: Int64
    var isYes: Bool
    var description: String { "\(isYes ? "yes" : "no") at \(at)" }
  }

  /// Whether lines are typed, and not keys.
  var isByLine: Bool
  /// The number of alerts, each of which comes as soon as the previous one is answered.
  var alerts: Int
  var slow: Int64 = 1

  // The time when the frame with the present alert was painted.
  private var painted: Int64 = 0
  private var loud: Int64 = .min / 2
  private var answeredBy: Int64 = .min / 2
  private var touched: Int64 = 0
  private var answers: [Answer] = []

  init(isByLine: Bool, alerts: Int, slow: Int64 = 1) {
    self.isByLine = isByLine
    self.alerts = alerts
    self.slow = slow
  }

  private var armed: Int64 { max(painted + 500 * slow, loud + 300 * slow, answeredBy + 750 * slow) }

  /// Returns the answers that result from strokes at given times; the first alert is painted at zero.
  func answers(to moments: [Moment]) -> [Answer] {
    var judge = self
    for group in judge.groups(moments) where judge.answers.count < alerts { judge.take(group) }
    return judge.answers
  }

  /// Returns groups of strokes that come so close together that they arrive at once.
  private func groups(_ moments: [Moment]) -> [[Moment]] {
    moments.reduce(into: []) { groups, moment in
      if let last = groups.last?.last, moment.at - last.at < 250 * slow {
        groups[groups.count - 1].append(moment)
      } else {
        groups.append([moment])
      }
    }
  }

  private mutating func take(_ group: [Moment]) {
    let (first, last) = (group[0], group[group.count - 1])
    let isDisturbed = group.contains { restarts($0) }
    defer { touched = last.at }
    if first.at - max(painted, touched) >= 60_000 * slow, first.stroke != .disturbance {
      painted = first.at
      loud = last.at
    } else if first.at < armed || isDisturbed {
      for moment in group {
        loud = moment.at
        if restarts(moment) { painted = moment.at }
      }
    } else if isOneStroke(group) {
      count(last)
    } else {
      loud = last.at
    }
  }

  private func restarts(_ moment: Moment) -> Bool {
    moment.stroke == .disturbance || moment.stroke == .stray && !isByLine
  }

  private func isOneStroke(_ group: [Moment]) -> Bool {
    guard Set(group.map(\.stroke)).count == 1 else { return false }
    if isByLine { return group.count == 1 }
    var begun: [Int64] = []
    for moment in group where begun.last.map({ moment.at - $0 > 40 * slow }) ?? true {
      begun.append(moment.at)
    }
    return begun.count <= 2
  }

  private mutating func count(_ moment: Moment) {
    let now = moment.at + 250 * slow
    switch moment.stroke {
    case .yes, .no:
      answers.append(Answer(at: now, isYes: moment.stroke == .yes))
      answeredBy = moment.at
      loud = moment.at
      painted = now
    case .look, .stray, .disturbance:
      // A typed line makes the program print again, which must be read again. A key that scrolls does so at once.
      loud = isByLine ? now : moment.at
      painted = isByLine ? now : painted
    }
  }
}

extension AnswerJudge.Moment {
  /// Returns moments from a script such as `500y 700n`.
  static func moments(_ script: String, slow: Int64 = 1) -> [Self] {
    script.split(separator: " ").compactMap { word in
      guard let stroke = word.last.flatMap({ AnswerJudge.Stroke(rawValue: $0) }),
        let at = Int64(word.dropLast())
      else { return nil }
      return Self(at: at * slow, stroke: stroke)
    }
  }
}
