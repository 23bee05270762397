/// Decides which key or typed line counts as an answer: the rule shared by all places where a person answers.
///
/// It knows only times and events. Its owner reports events to it, calls ``advance(to:)`` at its ``deadline``, and
/// shows its state. Moments are in milliseconds of a clock that never goes back.
///
/// Only ``advance(to:)`` arms a prompt. Input that is taken in together with an overdue deadline comes first and finds
/// the prompt as it was, so that input that piled up while the process was not running does not answer anything.
package struct PromptGuard<Key: Hashable & Sendable>: Sendable {
  package enum Prompt: Hashable, Sendable {
    case question
    /// A message that is only read and closed.
    case notice
  }

  package enum Outcome: Hashable, Sendable {
    /// It takes effect at once, because it is not an answer.
    case acts
    /// It counts unless something follows; ``advance(to:)`` returns it when its time has come.
    case pends
    case isIgnored
    /// It has no effect, and the wait begins again.
    case restarts
  }

  /// The reason why input had no effect, to be shown on the screen.
  package enum Complaint: Hashable, Sendable {
    case tooEarly, held, mixed
  }

  /// A key that was pressed and counts unless something follows.
  private struct Press: Hashable, Sendable {
    var key: Key
    /// The number of presses; events within the bounce time are one press.
    var count = 1
    /// The moments of the beginning and of the last event of the latest of these presses.
    var start: Int64
    var last: Int64
    /// Whether a second event can be part of the press. For lines it never is.
    let mayRepeat: Bool
  }

  package let times: PromptTimes
  private var prompt: Prompt?
  /// The moment when a frame with the prompt was completely painted; `nil` if none has been since the wait began.
  private var paintedAt: Int64?
  /// The moment since which no input has kept the prompt from being armed.
  private var quietSince: Int64
  private var lastInput: Int64
  /// The moment of the key that answered the previous prompt.
  private var answeredAt: Int64?
  private var touchedAt: Int64
  private var press: Press?

  /// Whether a key pressed now may answer.
  package private(set) var isArmed = false
  /// Whether the prompt has been untouched for so long that the first key only wakes it.
  package private(set) var isAsleep = false
  package private(set) var complaint: Complaint?

  package init(_ times: PromptTimes = PromptTimes(), at moment: Int64) {
    self.times = times
    quietSince = moment
    lastInput = moment
    touchedAt = moment
  }

  /// The key that counts unless something follows.
  package var pressed: Key? { press?.key }

  /// The moment from which the next alert may appear by itself. After an answer that is at once.
  package var appearsAt: Int64 { answeredAt == lastInput ? lastInput : lastInput + times.beforeAppearing }

  /// The moment when ``advance(to:)`` is due; `nil` if it is not.
  package var deadline: Int64? {
    [press.map { $0.last + times.press }, armsAt, sleepsAt].compactMap(\.self).min()
  }

  private var armsAt: Int64? {
    guard let prompt, let paintedAt, !isArmed, !isAsleep else { return nil }
    switch prompt {
    case .question:
      let answered = answeredAt.map { $0 + times.betweenAnswers } ?? .min
      return max(paintedAt + times.visible, quietSince + times.quiet, answered)
    case .notice: return max(paintedAt, quietSince) + times.quiet
    }
  }

  private var sleepsAt: Int64? {
    guard let paintedAt, !isAsleep, press == nil else { return nil }
    return max(paintedAt, touchedAt) + times.awake
  }
}

// MARK: - Showing

extension PromptGuard {
  /// Notes that a prompt was laid out. It counts as visible once it is painted.
  package mutating func open(_ prompt: Prompt) {
    cover()
    self.prompt = prompt
    quietSince = lastInput
    isAsleep = false
    complaint = nil
  }

  /// Notes that the prompt is gone, with or without an answer.
  package mutating func close(isAnswered: Bool = false) {
    if isAnswered { answeredAt = lastInput }
    cover()
    prompt = nil
  }

  /// Notes that the prompt cannot be seen. No input counts until it is painted again.
  package mutating func cover() {
    paintedAt = nil
    isArmed = false
    press = nil
  }

  /// Requires the input to be quiet again before the prompt can be answered.
  package mutating func disarm(at moment: Int64) {
    press = nil
    isArmed = false
    quietSince = moment
  }

  /// Notes that a frame with the prompt on it was completely painted.
  package mutating func paint(at moment: Int64) {
    if prompt != nil, paintedAt == nil { paintedAt = moment }
  }

  /// Begins the wait again, because the person may not have seen the screen, or did not mean the input for it.
  package mutating func restart(at moment: Int64) {
    cover()
    quietSince = moment
    complaint = nil
  }
}

// MARK: - Input

extension PromptGuard {
  /// Takes input that does not affect the prompt: it is meant for a list, or for a page that covers the prompt.
  package mutating func note(at moment: Int64) {
    lastInput = moment
    touchedAt = moment
    if !isArmed { quietSince = moment }
  }

  /// Takes a key that is not an answer and works at any time: Esc, scrolling, help. The input must be quiet after it.
  package mutating func pass(at moment: Int64) -> Outcome {
    let outcome = type(at: moment)
    if outcome == .acts, isArmed { disarm(at: moment) }
    return outcome
  }

  /// Takes text for a line that is being typed. It leaves the prompt armed, so that the line may end at any time.
  package mutating func type(at moment: Int64) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    if isArmed { complaint = nil }
    if press != nil { void(.mixed, at: moment) }
    return .acts
  }

  /// Takes a key without a meaning here, or a reply of the terminal: it was meant for something else.
  package mutating func stray(at moment: Int64) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    restart(at: moment)
    return .restarts
  }

  /// Takes a repeat that the terminal reports as such. It counts neither as a press nor as quiet.
  package mutating func `repeat`(at moment: Int64) {
    note(at: moment)
    if press == nil { disarm(at: moment) }
  }

  /// Takes a key that changes or submits the answer.
  package mutating func strike(_ key: Key, at moment: Int64) -> Outcome {
    begin(key, at: moment, mayRepeat: true)
  }

  /// Takes a line that was typed, or that arrived in one piece. No input may follow it, not even the same line.
  package mutating func enter(_ line: Key, at moment: Int64) -> Outcome {
    begin(line, at: moment, mayRepeat: false)
  }

  private mutating func begin(_ key: Key, at moment: Int64, mayRepeat: Bool) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    guard isArmed else { return ignore(.tooEarly) }
    if press != nil { return join(key, at: moment) }
    complaint = nil
    press = Press(key: key, start: moment, last: moment, mayRepeat: mayRepeat)
    return .pends
  }

  private mutating func join(_ key: Key, at moment: Int64) -> Outcome {
    guard var press, press.key == key, press.mayRepeat else { return void(.mixed, at: moment) }
    if moment - press.start > times.bounce {
      press.count += 1
      press.start = moment
    }
    press.last = moment
    if press.count > 2 { return void(.held, at: moment) }
    self.press = press
    return .pends
  }

  private mutating func wake(at moment: Int64) -> Outcome {
    isAsleep = false
    lastInput = moment
    touchedAt = moment
    restart(at: moment)
    return .restarts
  }

  /// Discards all that was pressed together, and requires the input to be quiet again.
  @discardableResult
  private mutating func void(_ complaint: Complaint, at moment: Int64) -> Outcome {
    disarm(at: moment)
    self.complaint = complaint
    return .isIgnored
  }

  /// Ignores input and says why, unless it only continues input that was already complained about.
  private mutating func ignore(_ complaint: Complaint) -> Outcome {
    if self.complaint == nil { self.complaint = complaint }
    return .isIgnored
  }
}

// MARK: - Time

extension PromptGuard {
  /// Lets time pass up to a moment. Must be called at the ``deadline``.
  ///
  /// - Returns: The key whose press counts now; `nil` if none does.
  package mutating func advance(to moment: Int64) -> Key? {
    if let press, moment >= press.last + times.press {
      self.press = nil
      return press.key
    }
    if let armsAt, moment >= armsAt {
      isArmed = true
      if complaint == .tooEarly { complaint = nil }
    }
    if let sleepsAt, moment >= sleepsAt {
      isAsleep = true
      isArmed = false
    }
    return nil
  }
}
