/// A rule that decides which key presses and typed lines are accepted as answers. It applies wherever a person can
/// answer.
///
/// A guard handles only times and events. The guard's owner reports each event, calls ``advance(to:)`` at the
/// ``deadline``, and displays the guard's state. All times are in milliseconds, on a clock that never goes backwards.
///
/// A prompt can be answered only after ``advance(to:)`` has armed it. If the deadline has passed and input has arrived
/// too, the owner reports the input first. Therefore input that piled up while the process was not running cannot
/// answer the prompt.
package struct PromptGuard<Key: Hashable & Sendable>: Sendable {
  package enum Prompt: Hashable, Sendable {
    case question
    /// A message that the person only needs to read and close.
    case notice
  }

  package enum Outcome: Hashable, Sendable {
    /// The input takes effect immediately, because it is not an answer.
    case acts
    /// Unless other input follows too soon, the input takes effect later, when ``advance(to:)`` returns it.
    case pends
    case isIgnored
    /// The input has no effect, and restarts the wait that must pass before an answer is accepted.
    case restarts
  }

  /// The reason why input had no effect, to be shown on the screen.
  package enum Complaint: Hashable, Sendable {
    case tooEarly, held, mixed
  }

  /// A key that was pressed, and that takes effect unless other input follows too soon.
  private struct Press: Hashable, Sendable {
    var key: Key
    /// The number of key presses. Events within the bounce time belong to the same key press.
    var count = 1
    /// The time of the first event of the latest key press. The time of its last event is ``last``.
    var start: Int64
    var last: Int64
    /// Whether the same key can be pressed again without voiding the first key press. Always `false` for lines.
    let mayRepeat: Bool
  }

  package var times: PromptTimes
  private var prompt: Prompt?
  /// The time at which the prompt was completely painted; `nil` if it has not been painted since it was opened, covered
  /// or restarted.
  private var paintedAt: Int64?
  /// The time at which the current quiet period began. The prompt can be armed only after a quiet period.
  private var quietSince: Int64
  package private(set) var lastInput: Int64
  /// The time at which the key that answered the previous prompt was pressed.
  private var answeredAt: Int64?
  private var touchedAt: Int64
  private var press: Press?

  /// Whether a key press can currently answer the prompt.
  package private(set) var isArmed = false
  /// Whether there has been no input for so long that the next key press only wakes the prompt.
  package private(set) var isAsleep = false
  package private(set) var complaint: Complaint?

  package init(_ times: PromptTimes = PromptTimes(), at moment: Int64) {
    self.times = times
    quietSince = moment
    lastInput = moment
    touchedAt = moment
  }

  /// The key that takes effect unless other input follows too soon; `nil` if there is none.
  package var pressed: Key? { press?.key }

  /// The earliest time at which the next alert can appear automatically. Directly after an answer, there is no delay.
  package var appearsAt: Int64 { answeredAt == lastInput ? lastInput : lastInput + times.beforeAppearing }

  /// The time at which ``advance(to:)`` must be called; `nil` if no call is due.
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
  /// Notes that a prompt was laid out. The prompt is considered visible once it has been painted.
  package mutating func open(_ prompt: Prompt) {
    cover()
    self.prompt = prompt
    quietSince = lastInput
    isAsleep = false
    complaint = nil
  }

  /// Lets the next key press only wake the prompt, because nobody has been there for a while.
  package mutating func sleep() {
    isAsleep = true
    isArmed = false
    press = nil
  }

  /// Notes that the prompt is gone, with or without an answer.
  package mutating func close(isAnswered: Bool = false) {
    if isAnswered { answeredAt = lastInput }
    cover()
    prompt = nil
  }

  /// Notes that the prompt cannot be seen. The prompt cannot be answered until it has been painted again.
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

  /// Notes that a frame with the prompt was completely painted.
  package mutating func paint(at moment: Int64) {
    if prompt != nil, paintedAt == nil { paintedAt = moment }
  }

  /// Restarts the wait that must pass before an answer is accepted. Call this if the person might not have seen the
  /// screen, or if input was not meant for this prompt.
  package mutating func restart(at moment: Int64) {
    cover()
    quietSince = moment
    complaint = nil
  }
}

// MARK: - Input

extension PromptGuard {
  /// Handles input that is not meant for the prompt, but for a list, or for a page that covers the prompt.
  package mutating func note(at moment: Int64) {
    lastInput = moment
    touchedAt = moment
    if !isArmed { quietSince = moment }
  }

  /// Handles a key that works at any time but does not answer the prompt, for example Esc, a scrolling key, or the help
  /// key. Afterwards the input must be quiet again before the prompt can be answered.
  package mutating func pass(at moment: Int64) -> Outcome {
    let outcome = type(at: moment)
    if outcome == .acts, isArmed { disarm(at: moment) }
    return outcome
  }

  /// Handles text that is added to a line. Unless a key is pending, the prompt stays armed, so that the line
  /// can be submitted at any time.
  package mutating func type(at moment: Int64) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    if isArmed { complaint = nil }
    if press != nil { void(.mixed, at: moment) }
    return .acts
  }

  /// Handles a key that has no meaning for the prompt, or a reply from the terminal. Such input was meant for something
  /// else, so it restarts the wait that must pass before an answer is accepted.
  package mutating func stray(at moment: Int64) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    restart(at: moment)
    return .restarts
  }

  /// Handles an event that the terminal reports as a key repeat. The repeat does not count as a key press. Unless a key
  /// is pending, the input must be quiet again before the prompt can be answered.
  package mutating func `repeat`(at moment: Int64) {
    note(at: moment)
    if press == nil { disarm(at: moment) }
  }

  /// Handles a key that changes or submits the answer.
  package mutating func strike(_ key: Key, at moment: Int64) -> Outcome {
    begin(key, at: moment, mayRepeat: true)
  }

  /// Handles a complete line. If any other input follows too soon, even an identical line, the line has no effect.
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

  /// Discards the pending key and the input that followed it, and requires the input to be quiet again.
  @discardableResult
  private mutating func void(_ complaint: Complaint, at moment: Int64) -> Outcome {
    disarm(at: moment)
    self.complaint = complaint
    return .isIgnored
  }

  /// Ignores input, and sets the complaint unless a complaint about earlier input is already set.
  private mutating func ignore(_ complaint: Complaint) -> Outcome {
    if self.complaint == nil { self.complaint = complaint }
    return .isIgnored
  }
}

// MARK: - Time

extension PromptGuard {
  /// Brings the guard's state up to the given time. Must be called at the ``deadline``.
  ///
  /// - Returns: The key whose press takes effect now; `nil` if there is none.
  package mutating func advance(to moment: Int64) -> Key? {
    if let press, moment >= press.last + times.press {
      self.press = nil
      return press.key
    }
    if let armsAt, moment >= armsAt {
      isArmed = true
      if complaint == .tooEarly { complaint = nil }
    }
    if let sleepsAt, moment >= sleepsAt { sleep() }
    return nil
  }
}
