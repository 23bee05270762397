/// Decides which key, or which typed line, counts as an answer: the rule that all places where a person answers share.
///
/// It knows times and events and nothing else. Its owner tells it what happens, wakes it at its ``deadline`` by
/// ``advance(to:)``, and shows what it says of itself. Moments are milliseconds of a clock that never goes back.
///
/// A prompt is armed by ``advance(to:)`` alone. Input that is taken in together with an overdue deadline comes first and
/// finds the prompt as it was, so that nothing is answered by what piled up while the process was kept from running.
package struct PromptGuard<Key: Hashable & Sendable>: Sendable {
  package enum Prompt: Hashable, Sendable {
    /// Something that is answered.
    case question
    /// Something that is only read and closed.
    case notice
  }

  /// What becomes of input.
  package enum Outcome: Hashable, Sendable {
    /// It does at once what it means: it answers nothing.
    case acts
    /// It counts unless something follows; ``advance(to:)`` returns it when its time has come.
    case pends
    /// It does nothing.
    case isIgnored
    /// It does nothing, and the wait begins again.
    case restarts
  }

  /// Why input did nothing, to be said on the screen.
  package enum Complaint: Hashable, Sendable {
    case tooEarly, held, mixed
  }

  /// A key that was pressed and counts unless something follows.
  private struct Press: Hashable, Sendable {
    var key: Key
    /// How often it was pressed; events within the bounce time are one.
    var count = 1
    /// When the last of these presses began, and when its last event came.
    var start: Int64
    var last: Int64
    /// Whether a second event is part of the press. With lines it never is.
    let mayRepeat: Bool
  }

  package let times: PromptTimes
  private var prompt: Prompt?
  /// When a frame that shows the prompt was completely painted; `nil` if none was since the wait began.
  private var paintedAt: Int64?
  /// Since when there has been no input that keeps the prompt from being armed.
  private var quietSince: Int64
  private var lastInput: Int64
  /// When the key came that answered the prompt before.
  private var answeredAt: Int64?
  private var touchedAt: Int64
  private var press: Press?

  /// Whether a key pressed now may answer.
  package private(set) var isArmed = false
  /// Whether nobody touched the prompt for so long that the first key only wakes it.
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

  /// When the next alert may appear by itself. After an answer that is at once.
  package var appearsAt: Int64 { answeredAt == lastInput ? lastInput : lastInput + times.beforeAppearing }

  /// When ``advance(to:)`` is due; `nil` if nothing is.
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

// MARK: - What is shown

extension PromptGuard {
  /// A prompt was laid out. It counts as visible once it is painted.
  package mutating func open(_ prompt: Prompt) {
    cover()
    self.prompt = prompt
    quietSince = lastInput
    isAsleep = false
    complaint = nil
  }

  /// The prompt is gone, without an answer or with one.
  package mutating func close(isAnswered: Bool = false) {
    if isAnswered { answeredAt = lastInput }
    cover()
    prompt = nil
  }

  /// The prompt cannot be seen. Nothing counts until it was painted again.
  package mutating func cover() {
    paintedAt = nil
    isArmed = false
    press = nil
  }

  /// The input must be quiet again before the prompt can be answered.
  package mutating func disarm(at moment: Int64) {
    press = nil
    isArmed = false
    quietSince = moment
  }

  /// A frame with the prompt on it was completely painted.
  package mutating func paint(at moment: Int64) {
    if prompt != nil, paintedAt == nil { paintedAt = moment }
  }

  /// Begins the wait again: what was on the screen may not have been seen, or the input was not meant for it.
  package mutating func restart(at moment: Int64) {
    cover()
    quietSince = moment
    complaint = nil
  }
}

// MARK: - What is pressed

extension PromptGuard {
  /// Input that does nothing to the prompt: it is meant for a list, or for a page that covers the prompt.
  package mutating func note(at moment: Int64) {
    lastInput = moment
    touchedAt = moment
    if !isArmed { quietSince = moment }
  }

  /// A key that answers nothing and is obeyed at any time: Esc, scrolling, help. The input must be quiet after it.
  package mutating func pass(at moment: Int64) -> Outcome {
    let outcome = type(at: moment)
    if outcome == .acts, isArmed { disarm(at: moment) }
    return outcome
  }

  /// Text for a line that is being typed. It leaves the prompt armed, so that the line may end at any time.
  package mutating func type(at moment: Int64) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    if isArmed { complaint = nil }
    if press != nil { void(.mixed, at: moment) }
    return .acts
  }

  /// A key that means nothing here, or a reply of the terminal: it was meant for something else.
  package mutating func stray(at moment: Int64) -> Outcome {
    if isAsleep { return wake(at: moment) }
    note(at: moment)
    restart(at: moment)
    return .restarts
  }

  /// A repeat that the terminal reports as such. It is no press, and no quiet either.
  package mutating func `repeat`(at moment: Int64) {
    note(at: moment)
    if press == nil { disarm(at: moment) }
  }

  /// A key that changes or gives the answer.
  package mutating func strike(_ key: Key, at moment: Int64) -> Outcome {
    begin(key, at: moment, mayRepeat: true)
  }

  /// A line that was typed, or that came in one piece. Nothing may follow it, not even the same line.
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

  /// Nothing of what was pressed together counts, and the input must be quiet again.
  @discardableResult
  private mutating func void(_ complaint: Complaint, at moment: Int64) -> Outcome {
    disarm(at: moment)
    self.complaint = complaint
    return .isIgnored
  }

  /// Says why the key does nothing, unless it only goes on with what was complained about already.
  private mutating func ignore(_ complaint: Complaint) -> Outcome {
    if self.complaint == nil { self.complaint = complaint }
    return .isIgnored
  }
}

// MARK: - Time

extension PromptGuard {
  /// Lets time pass up to a moment. To be called at the ``deadline``.
  ///
  /// - Returns: the key whose press counts now; `nil` if none does.
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
