import PermModel

/// The one modal form: an alert, a decision being changed, or a question of the dashboard itself.
///
/// Its content is frozen when it appears. No other form replaces it, and it covers everything but banner and header.
struct Form: Sendable {
  enum Content: Hashable, Sendable {
    case alert(Alert)
    case change(DecisionDraft)
    case question(Question)
  }

  /// A line that is being typed inside the form.
  enum Entry: Hashable, Sendable {
    case note, typedWord
  }

  /// The text in the form.
  enum Page: Hashable, Sendable {
    case facts
    /// The other waiting items, to look at without answering.
    case waiting
    case keys
  }

  let content: Content
  /// Its place in the line and the length of the line when it appeared.
  var place = (1, 1)
  var page = Page.facts
  /// Set when nobody waits for the answer any longer: the form stays, and answers nothing.
  var isWithdrawn = false
  /// Set while no broker presents the alert: an answer counts for nothing.
  var isUnbacked = false
  /// Set when the person has denied everything: the form then closes with its request.
  var endsByPanic = false
  /// The button in focus, as a place in `buttons`.
  var focus = 0
  var keepFor = 0
  /// The index of the chosen requirement; 0 is everything that was asked for.
  var choice = 0
  var note = TextField()
  private(set) var typedWord = TextField()
  /// The time of the word's last letter, and the number of letters that came too fast to be typed.
  private var lastLetter: Int64 = .min
  private var hurried = 0
  var entry: Entry?
  var scroll = 0
  /// The number of its lines, and of those that are on the screen at once.
  var lineCount = 0
  var viewHeight = 0
  var seen = SeenLines()
  /// Whether all of it had been seen when the pending key was pressed.
  var wasReadWhenPressed = false
  /// The reason why the last key did nothing, until the next one.
  var hint: String?

  init(_ content: Content) {
    self.content = content
    startOver()
  }

  /// Resets the focus and the choices.
  mutating func startOver() {
    focus = 0
    keepFor = lifetimes.firstIndex { $0.disabledReason == nil } ?? 0
    choice = (change?.current?.atoms).flatMap { atoms in choices.firstIndex { $0.atoms == Set(atoms) } } ?? 0
  }
}

// MARK: - The word

extension Form {
  /// The shortest time between two letters, in milliseconds. Faster letters were not typed.
  private static let haste: Int64 = 20

  static let pasteHint = "The word arrived all at once, so it does not count. Type it."

  mutating func typeWord(_ key: Key, at moment: Int64) {
    let length = typedWord.characters.count
    guard typedWord.press(key), typedWord.characters.count > length else { return }
    if length > 0, moment - lastLetter < Self.haste { hurried += 1 }
    lastLetter = moment
  }

  /// Whether the word came in one piece, as a paste does, even if byte by byte.
  var isWordPasted: Bool { hurried > 0 && hurried * 2 >= typedWord.characters.count }

  mutating func forgetWord() {
    typedWord = TextField()
    hurried = 0
  }
}

extension Form {
  /// Whether all of it was on the screen long enough to be read.
  var hasShownAll: Bool { seen.isComplete }

  var alert: Alert? {
    if case .alert(let alert) = content { alert } else { nil }
  }

  var alertID: Alert.ID? { alert?.id }

  var request: RequestAlert? { alert?.request }

  /// The question, whether a program or the dashboard asks it.
  var confirmation: Confirmation? {
    if case .question(let question) = content { return question.confirmation }
    if case .confirmation(let confirmation) = alert?.content { return confirmation }
    return nil
  }

  var notice: Notice? {
    if case .notice(let notice) = alert?.content { notice } else { nil }
  }

  var change: DecisionDraft? {
    if case .change(let change) = content { change } else { nil }
  }

  var context: KeyContext {
    if page != .facts { return .reading }
    if isWithdrawn { return .notice }
    if request != nil { return .request }
    if change != nil { return .change }
    return notice == nil ? .confirmation : .notice
  }

  /// The commands that its buttons run.
  var buttons: [Command] {
    if isWithdrawn { return [.close] }
    if request != nil { return [.deny, .allow, .setAside] }
    if change != nil { return [.deny, .allow, .close] }
    return notice == nil ? [.refuse, .confirm] : [.close]
  }

  var focused: Command { buttons[min(focus, buttons.count - 1)] }

  var lifetimes: [LifetimeOffer] { request?.lifetimes ?? change?.lifetimes ?? [] }

  var choices: [RequirementChoice] { request?.choices ?? change?.capability.choices ?? [] }

  /// The chosen requirement; `nil` if there is none to choose.
  var chosen: RequirementChoice? { choices.indices.contains(choice) ? choices[choice] : choices.first }

  /// The word that must be typed to agree; `nil` if none is needed.
  var requiredWord: String? {
    if let confirmation { return confirmation.typedWord }
    if let request { return request.typedWord }
    if let change { return change.capability.severity == .severe ? change.capability.id : nil }
    return nil
  }

  /// Returns the answer with the present choices. Denying a request denies everything that was asked for.
  func answer(_ verdict: Verdict, mutes: Bool = false) -> Answer {
    let all = choices.first?.atoms ?? []
    return Answer(
      verdict, atoms: verdict == .deny && request != nil ? all : chosen?.atoms ?? all,
      lifetime: lifetimes.indices.contains(keepFor) ? lifetimes[keepFor].choice : .once,
      note: note.isEmpty ? nil : note.text, mutes: mutes)
  }
}

/// A question of the dashboard itself, before it does something that needs a second thought. Foreign text in its
/// message is already escaped.
struct Question: Hashable, Sendable {
  var confirmation: Confirmation
  /// The effect of agreeing.
  var effect: Effect
  var report: Report
}
