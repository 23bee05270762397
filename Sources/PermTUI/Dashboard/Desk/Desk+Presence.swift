/// The reason why no key of the person arrives: another window has the focus, or a paste has no end.
struct Presence: Hashable, Sendable {
  /// The time in which keys are ignored without a word. Terminals report the focus a little late.
  private static let patience: Int64 = 2_000

  var hasFocus = true
  /// The time of the first key since the focus was lost, in monotonic milliseconds; `nil` if there was none.
  private var firstKey: Int64?
  /// Whether a paste has no end yet.
  var isPasting = false
  /// Whether keys have come for so long without the focus that the terminal might be wrong.
  private(set) var isDoubtful = false

  mutating func noteKey(at moment: Int64) {
    let first = firstKey ?? moment
    firstKey = first
    isDoubtful = moment - first >= Self.patience
  }

  /// The reason in words, with the way out; `nil` if keys count, or if it is too early for words.
  var hint: String? {
    if isPasting { return "A paste has no end, so no key counts. Esc ends it." }
    return isDoubtful ? "Another window has the focus, so no key counts. ^L asks again." : nil
  }
}

extension Desk {
  /// Handles a report that the window has gained or lost the focus. Either restarts the wait, because the person looked
  /// elsewhere.
  mutating func noteFocus(_ action: Action) {
    presence = Presence()
    if case .unfocused = action { presence.hasFocus = false }
    restartWait()
  }

  /// Handles keys that were pressed while another window has the focus.
  mutating func ignoreKeys() {
    disturb()
    presence.noteKey(at: now.milliseconds)
    if form == nil, let hint = presence.hint { report = Report(text: hint) }
  }

  /// Handles input that could belong to a paste without an end.
  mutating func noteStalled() {
    disturb()
    presence.isPasting = true
    if form == nil, let hint = presence.hint { report = Report(text: hint) }
  }
}
