import PermBroker
import PermModel

/// The only modal form: an alert, a decision that is being changed, or a question from the dashboard itself.
///
/// Its content is fixed when the form appears. No other form replaces it, and it covers everything except the
/// banners and the header.
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

  /// The page that the form shows.
  enum Page: Hashable, Sendable {
    case facts
    case keys
  }

  let content: Content
  /// The alert's turn at this dashboard; `nil` if the form is no alert, or one that the person picked.
  var turn: DashboardPicture.Turn?
  /// Whether the person picked the alert from a list. Its answer goes to that request alone, wherever else its alert is
  /// shown.
  var isPicked = false
  /// Whether another dashboard showed the alert when the person's round came to it.
  var isOnOtherScreen = false
  /// The number of requests and questions in line when the alert appeared. Like all that is shown, it does not change
  /// while the person reads.
  var lineLength: Int?
  var page = Page.facts
  var standing = Standing.awaited
  /// The reason, as far as it is known, why the alert has been or will be withdrawn.
  var reason: AlertWithdrawal?
  /// Whether the person has started a panic from this form. If so, the form closes when its request is withdrawn.
  var endsByPanic = false
  /// The index in `buttons` of the button that has the focus.
  var focus = 0
  var keepFor = 0
  /// The index of the chosen requirement; 0 stands for everything that was asked for.
  var choice = 0
  /// The index of the chosen scope among those on offer; 0 stands for exactly what was asked for.
  var cover = 0
  /// Whether the form shows all that is known about the program, and not only a line.
  var isUnfolded = false
  var note = TextField()
  private(set) var typedWord = TextField()
  /// The word that the person was asked to type. It stays the same if the choices are reset meanwhile.
  var wordToType = ""
  /// The choices for which the word is typed. If a restart of the wait resets them, the word answers nothing.
  var choicesOfWord: [Int] = []
  /// The lifetime that was chosen before a key asked for the word and chose another one; `nil` if none did.
  var keepForBeforeWord: Int?
  /// The time at which the word's last letter arrived; ``hurried`` is the number of letters that came too fast.
  private var lastLetter: Int64 = .min
  private var hurried = 0
  var entry: Entry?
  var scroll = 0
  /// The total number of lines that can be scrolled; ``viewHeight`` is the number of them that fit on the screen.
  var lineCount = 0
  var viewHeight = 0
  var seen = SeenLines()
  /// Whether all lines of the form had been seen when the pending key was pressed.
  var wasReadWhenPressed = false
  /// The reason why the last key press did nothing, shown until the next key press.
  var hint: String?

  init(_ content: Content) {
    self.content = content
    startOver()
  }

  /// Resets the focus and the choices.
  mutating func startOver() {
    focus = 0
    cover = 0
    keepForBeforeWord = nil
    // A decision keeps the end that it has unless the person says otherwise.
    keepFor = change?.currentLifetime ?? lifetimes.firstIndex { $0.disabledReason == nil } ?? 0
    choice = (change?.current?.atoms).flatMap { atoms in choices.firstIndex { $0.atoms == Set(atoms) } } ?? 0
  }
}

// MARK: - The required word

extension Form {
  /// The shortest plausible time between two typed letters, in milliseconds. Letters that come faster were not typed.
  private static let haste: Int64 = 20

  static let pasteHint = "The word arrived all at once, so it does not count. Type it."

  mutating func typeWord(_ key: Key, at moment: Int64) {
    let length = typedWord.characters.count
    guard typedWord.press(key), typedWord.characters.count > length else { return }
    if length > 0, moment - lastLetter < Self.haste { hurried += 1 }
    lastLetter = moment
  }

  /// Whether at least half of the word came too fast to be typed, as in a paste that arrives byte by byte.
  var isWordPasted: Bool { hurried > 0 && hurried * 2 >= typedWord.characters.count }

  mutating func forgetWord() {
    typedWord = TextField()
    hurried = 0
  }
}

extension Form {
  /// Whether all lines of the form were on the screen long enough to be read.
  var hasShownAll: Bool { seen.isComplete }
  /// Whether there are lines that must be shown before the form can be allowed.
  var hasMoreToRead: Bool { page == .facts && !hasShownAll && !isWithdrawn && notice == nil }

  var alert: Alert? {
    if case .alert(let alert) = content { alert } else { nil }
  }

  var alertID: Alert.ID? { alert?.id }

  var request: RequestAlert? { alert?.request }

  /// The question to confirm, whether it comes from a program or from the dashboard.
  var confirmation: Confirmation? {
    if let question { return question.confirmation }
    if case .confirmation(let confirmation) = alert?.content { return confirmation }
    return nil
  }

  var question: Question? {
    if case .question(let question) = content { question } else { nil }
  }

  var notice: Notice? {
    if case .notice(let notice) = alert?.content { notice } else { nil }
  }

  var change: DecisionDraft? {
    if case .change(let change) = content { change } else { nil }
  }

  var context: KeyContext {
    if page != .facts { return .reading }
    if isWithdrawn { return canTakeBack ? .request : .notice }
    if request != nil { return .request }
    if question?.lifetimes.isEmpty == false { return .together }
    if change != nil { return .change }
    return notice == nil ? .confirmation : .notice
  }

  /// The commands of the form's buttons.
  var buttons: [Command] {
    if isWithdrawn { return canTakeBack ? [.deny, .close] : [.close] }
    if request != nil { return [.deny, .allow, isPicked ? .close : .setAside] }
    if change != nil { return [.deny, .allow, .close] }
    return notice == nil ? [.refuse, .confirm] : [.close]
  }

  var focused: Command { buttons[min(focus, buttons.count - 1)] }

  /// Whether a program behind walls asks.
  var isOfRun: Bool { request?.request.evidence?.walled != nil }

  /// The index of the lifetime for which the alert suggests to keep an allow; `nil` if it suggests nothing for the chosen
  /// scope.
  var suggestedKeep: Int? { choice == 0 && cover == 0 ? request?.suggestedKeep : nil }

  /// The lifetimes on offer for the chosen scope.
  var lifetimes: [LifetimeOffer] {
    request?.lifetimes(cover: cover) ?? change?.lifetimes ?? question?.lifetimes ?? []
  }

  var lifetime: LifetimeChoice { lifetimes.indices.contains(keepFor) ? lifetimes[keepFor].choice : .once }

  var choices: [RequirementChoice] { request?.choices ?? change?.choices ?? [] }

  /// The scopes that an answer can cover.
  var covers: [CoverOffer] { request?.covers ?? [] }

  /// The chosen requirement; `nil` if the form offers no choice of requirements.
  var chosen: RequirementChoice? { choices.indices.contains(choice) ? choices[choice] : choices.first }

  /// The word that must be typed in order to agree with the current choices; `nil` if none is required.
  var requiredWord: String? { confirmation?.typedWord ?? harm?.text }

  /// The word that an allow takes, with what can happen; `nil` if it takes none.
  var harm: TypedWord? {
    if let request { return request.word(for: atoms(.allow), lifetime: lifetime) }
    return change?.typedWord(for: atoms(.allow), lifetime: lifetime)
  }

  /// Returns the atoms that an answer applies to. A denial always covers all parts of a request, whatever was chosen.
  func atoms(_ verdict: Verdict) -> Set<Atom> {
    request?.atoms(choice: verdict == .deny ? 0 : choice, cover: cover) ?? chosen?.atoms ?? []
  }

  /// The person's choices, which decide what an answer means.
  var choicesMade: [Int] { [choice, cover, keepFor] }

  /// All on which the text of some lines depends.
  var choicesShown: [Int] { choicesMade + [isUnfolded ? 1 : 0] }

  /// Returns the answer with the current choices.
  func answer(_ verdict: Verdict, mutes: Bool = false) -> Answer {
    Answer(
      verdict, atoms: atoms(verdict), lifetime: lifetime, note: note.isEmpty ? nil : note.text, mutes: mutes)
  }
}

/// A question that the dashboard itself asks before a change that the person should think twice about. The message
/// contains untrusted text only in escaped form.
struct Question: Hashable, Sendable {
  var confirmation: Confirmation
  /// The effect that follows if the person agrees.
  var effect: Effect
  var report: Report
  /// The lifetimes of an answer to several requests; empty if the question is about something else.
  var lifetimes: [LifetimeOffer] = []
}

extension Form {
  /// The sentence that another dashboard shows the alert, too, and that the person can answer it here nevertheless.
  static let otherScreen = "It is on the screen of another dashboard, too. Your answer takes it over."
}
