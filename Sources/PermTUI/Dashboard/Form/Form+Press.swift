import PermModel

extension Form {
  /// The result of a command in a form.
  enum Outcome: Hashable, Sendable {
    case stays
    /// The form stays open and says why the command did nothing.
    case hint(String)
    /// The form stays, and what is asked for is copied.
    case copies
    /// The form stays, and the pager shows what it says.
    case reads
    /// The form stays, because some of its lines were not read.
    case readsOn
    /// The form shows another page, so the wait before an answer restarts.
    case turns
    case panics
    /// The alert goes back into the line, so that the person can see what else waits.
    case givesWay
    /// The person denies what was just allowed elsewhere.
    case takesBack
    /// The form closes with the person's response, which is `nil` if there is none.
    case ends(AlertResponse?)
  }

  /// Carries out a command. While the required word is being typed, any command submits the word.
  ///
  /// - Parameter isArmed: Whether an answering key would be accepted now. If not, closing a notice sets it
  ///   aside instead of acknowledging it.
  mutating func press(_ command: Command, isArmed: Bool = true) -> Outcome {
    if entry == .typedWord { return endWord() }
    if let outcome = scroll(by: command) { return outcome }
    guard page == .facts else { return command == .back || command == .help ? turn(to: .facts) : .stays }
    if let place = Command.keepFor.firstIndex(of: command) { return keep(place) }
    switch command {
    case .nextButton: moveFocus(by: 1)
    case .previousButton: moveFocus(by: -1)
    case .press: return press(focused)
    case .deny where isWithdrawn && canTakeBack, .denyAndMute where isWithdrawn && canTakeBack,
      .denyRest where isWithdrawn && canTakeBack:
      return .takesBack
    case .allow where buttons.contains(.allow): return allow()
    case .deny where buttons.contains(.deny): return answer(.deny)
    case .confirm where buttons.contains(.confirm): return agree(.confirmed)
    case .refuse where buttons.contains(.refuse): return .ends(.refused)
    case .denyAndMute: return answer(.deny, mutes: true)
    case .denyRest: return denyRest()
    case .keepSuggested where buttons.contains(.allow): return keepSuggested()
    case .panic: return .panics
    case .setAside: return .ends(isPicked ? nil : .setAside)
    // A notice that was closed before the person had time to read it is set aside, so that it is not lost.
    case .close: return .ends(notice == nil ? nil : isArmed ? .acknowledged : .setAside)
    case .narrow: return narrow()
    case .widen: return moveCover(by: 1)
    case .narrowCover: return moveCover(by: -1)
    case .note where !isWithdrawn: entry = .note
    case .unfold: isUnfolded.toggle()
    case .copy: return .copies
    case .read: return .reads
    case .lookAhead: return .givesWay
    case .help: return turn(to: .keys)
    default: break
    }
    return .stays
  }

  private mutating func turn(to page: Page) -> Outcome {
    self.page = page
    scroll = 0
    return .turns
  }

  /// Scrolls, if that is what the command does. A page is not left for the next one before it could be read, and the way
  /// to the first line leads to the first one that was not read.
  private mutating func scroll(by command: Command) -> Outcome? {
    guard let lines = command.movement(page: max(1, viewHeight), of: lineCount) else { return nil }
    if hasMoreToRead {
      if [.pageDown, .halfPageDown].contains(command), seen.isPageUnread { return .hint(Self.pageHint) }
      if command == .first, let unread = seen.unread, unread.lowerBound != scroll {
        scroll = unread.lowerBound
        return .stays
      }
    }
    scroll = min(max(0, scroll + lines), lineCount)
    return .stays
  }

  private static let pageHint = "Not so fast: read this page first."

  private mutating func moveFocus(by distance: Int) {
    focus = (focus + distance + buttons.count) % buttons.count
  }

  private mutating func keep(_ place: Int) -> Outcome {
    guard !isWithdrawn, lifetimes.indices.contains(place) else { return .stays }
    if let reason = lifetimes[place].disabledReason { return .hint("Choice \(place + 1) is off: \(reason).") }
    keepFor = place
    return denialOnly
  }

  /// A hint if the chosen lifetime is possible only for a denial.
  private var denialOnly: Outcome {
    guard lifetimes.indices.contains(keepFor), let reason = lifetimes[keepFor].denialOnlyReason else {
      return .stays
    }
    return .hint("Choice \(keepFor + 1) is for a denial only: \(reason).")
  }

  private mutating func moveCover(by distance: Int) -> Outcome {
    guard !isWithdrawn else { return .stays }
    guard covers.indices.contains(cover + distance) else {
      return .hint(CoverOffer.isLast(goingWider: distance > 0))
    }
    cover += distance
    return denialOnly
  }

  private mutating func narrow() -> Outcome {
    guard !isWithdrawn else { return .stays }
    guard choices.count > 1 else { return .hint("There is nothing narrower to allow.") }
    choice = (choice + 1) % choices.count
    return .stays
  }
}

// MARK: - Answering

extension Form {
  private func answer(_ verdict: Verdict, mutes: Bool = false) -> Outcome {
    isUnbacked ? Self.isUnbackedHint : .ends(.answered(answer(verdict, mutes: mutes)))
  }

  /// Denies the request, and all that its run asks until it ends.
  private mutating func denyRest() -> Outcome {
    guard isOfRun, let place = lifetimes.firstIndex(where: { $0.choice == .process }) else {
      return .hint("Only a program behind walls has a run that ends.")
    }
    keepFor = place
    return answer(.deny, mutes: true)
  }

  /// Allows what was allowed several times today, for the suggested lifetime; or what takes a word, once it is typed. The chosen
  /// lifetime stays as it is until the answer counts, so that a later allow keeps nothing that the person did not choose.
  private mutating func keepSuggested() -> Outcome {
    guard let place = suggestedKeep ?? keptByWord else { return .hint(noSuggestion) }
    let chosen = keepFor
    keepFor = place
    let outcome = agree(.answered(answer(.allow)))
    if entry == .typedWord { keepForBeforeWord = chosen } else { keepFor = chosen }
    return outcome
  }

  /// The index of the lifetime for which exactly what is asked for can be kept with a word; `nil` if no word is needed, or if
  /// there is something to say against it.
  private var keptByWord: Int? {
    guard choice == 0, cover == 0, case .word(_, let place)? = request?.noSuggestion else { return nil }
    return place
  }

  /// The reason in words why the alert does not suggest to keep what is chosen.
  private var noSuggestion: String {
    switch request?.noSuggestion {
    case .neverKept(let reason)?: "This key is off: \(reason)."
    case .doubt?: "This key is off, because you do not know the program yet, or there is a doubt."
    case .seldom?: "Only what you allowed often today is kept with this key."
    case .word?, nil: "This key keeps exactly what is asked for, and you chose another scope."
    }
  }

  private mutating func allow() -> Outcome {
    if lifetimes.indices.contains(keepFor), let reason = lifetimes[keepFor].reason(against: .allow) {
      return .hint(isNotAllowed(because: reason))
    }
    return agree(.answered(answer(.allow)))
  }

  /// Returns a sentence about the chosen lifetime, which an allow cannot have. The way out comes first, because a small
  /// screen cuts the end.
  private func isNotAllowed(because reason: String) -> String {
    let possible = lifetimes.indices.filter { lifetimes[$0].reason(against: .allow) == nil }
    guard let longest = possible.max(by: { lifetimes[$0].choice.rank < lifetimes[$1].choice.rank }) else {
      return "It cannot be allowed: \(reason)."
    }
    let meaning = lifetimes[longest].choice == .once ? "for this request only" : "the longest for an allow"
    return "Press \(longest + 1), \(meaning): \(reason)."
  }

  /// Accepts the response if the person could read the whole form. If a word must be typed, asks for the word instead.
  private mutating func agree(_ response: AlertResponse) -> Outcome {
    if isUnbacked { return Self.isUnbackedHint }
    guard wasReadWhenPressed else { return .readsOn }
    guard let requiredWord else { return .ends(response) }
    (wordToType, choicesOfWord) = (requiredWord, choicesMade)
    entry = .typedWord
    return .stays
  }

  private static let isUnbackedHint = Outcome.hint("No broker asks this now: wait for the next one.")
}

// MARK: - Typing

extension Form {
  /// Passes a key to the line that is being typed, and returns whether the key ended the line.
  mutating func type(_ key: Key, at moment: Int64) -> Bool {
    switch (key, entry) {
    case (.escape, _), (.enter, _):
      if entry == .typedWord { leaveWord() }
      entry = nil
      return true
    case (_, .typedWord): typeWord(key, at: moment)
    default: _ = note.press(key)
    }
    return false
  }

  /// Puts back the lifetime that was chosen before the word was asked for.
  private mutating func leaveWord() {
    forgetWord()
    if let chosen = keepForBeforeWord { keepFor = chosen }
    keepForBeforeWord = nil
  }

  /// Checks and clears the typed word. A word that is wrong or was typed impossibly fast answers nothing.
  private mutating func endWord() -> Outcome {
    let (text, isPasted) = (typedWord.text, isWordPasted)
    forgetWord()
    if isPasted { return .hint(Self.pasteHint) }
    guard text == wordToType else { return .hint("That is not the word. Nothing was answered.") }
    guard choicesMade == choicesOfWord else {
      entry = nil
      return .hint("Your choices were reset meanwhile. Nothing was answered: choose again.")
    }
    return confirmation == nil ? answer(.allow) : .ends(.confirmed)
  }
}

// MARK: - Layout

extension Form {
  /// Applies a layout: limits the scroll position to the lines that exist, and notes which lines are on the screen.
  mutating func lay(_ layout: FormLayout, isVisible: Bool) {
    lineCount = layout.lines.count
    viewHeight = layout.viewHeight
    scroll = min(max(0, scroll), max(0, lineCount - viewHeight))
    guard isVisible else { return seen.cover() }
    seen.lay(
      scroll..<min(lineCount, scroll + viewHeight), of: layout.lines, width: layout.lineWidth,
      choice: choicesShown)
  }
}
