import PermModel

@testable import PermTUI

/// Watches a storm, and judges whether a person may have meant each answer. It knows the times of keys and of painted
/// frames, and shares no code with the product's rule.
struct StormWitness {
  private struct Input {
    var at: Int64
    /// The key; `nil` for other input.
    var key: Key?
    /// Whether the terminal reports that a key is held down, which is not a press.
    var isRepeat = false
    /// The focus in the last frame before it.
    var focus: Command?
    var lifetime: LifetimeChoice?
    var hadAllBeenThere = false
  }

  /// The input since the last answer, the newest last; input beyond what is ever checked is dropped.
  private var inputs: [Input] = []
  private var answeredAt: Int64 = .min / 2
  /// The time since which frames have shown the present form.
  private var shownSince: Int64 = .max
  private var shown: Picture?
  /// Whether the form must be painted again before it counts as shown.
  private var isCovered = true
  /// The time when each line of the form was first painted, and whether each was visible for half a second.
  private var lines: [Int: Int64] = [:]
  private var read: Set<Int> = []
  private var hasReadAll = false
  private var view: View?

  /// The relevant content of a frame.
  private struct Picture: Equatable {
    var content: Form.Content
    var size: Size
    var isWithdrawn: Bool
  }

  /// The visible lines, valid while their inputs do not change.
  private struct View {
    var place: [Int]
    var visible: Range<Int>
    var count: Int
  }

  /// Records an action, after the frames that were painted so far.
  mutating func see(_ action: Action, at moment: Int64, _ state: State) {
    for (line, since) in lines where moment - since >= 500 { read.insert(line) }
    if let view, read.isSuperset(of: 0..<view.count) { hasReadAll = true }
    var keys: [Key?] = []
    switch action {
    case .keys(let pressed, _): keys = pressed.map { $0 }
    case .repeated: inputs.append(Input(at: moment, isRepeat: true))
    case .paste, .noise, .stalled:
      keys = [nil]
      startOver()
    case .resized, .heldUp, .focused, .unfocused: startOver()
    default: break
    }
    let lifetimes = state.desk.form?.lifetimes ?? []
    for key in keys {
      if let key, state.desk.form?.entry == nil, Self.meansNothing(key, state.desk.form) { startOver() }
      inputs.append(
        Input(
          at: moment, key: key, focus: state.desk.form?.focused,
          lifetime: state.desk.form.flatMap {
            lifetimes.indices.contains($0.keepFor) ? lifetimes[$0.keepFor].choice : nil
          },
          hadAllBeenThere: hasReadAll))
    }
    inputs = inputs.suffix(200)
  }

  /// Whether it is one of the keys that have no meaning in any form.
  private static func meansNothing(_ key: Key, _ form: Form?) -> Bool {
    form?.page == .facts && ["z", "Z", "7", "x", "/", "p", "o"].contains(key)
  }

  private mutating func startOver() {
    shownSince = .max
    lines = [:]
    isCovered = true
  }

  /// Records a frame that was completely painted.
  mutating func see(frameOf state: State, at moment: Int64) {
    guard let form = state.desk.form else {
      shown = nil
      return startOver()
    }
    guard form.page == .facts, !state.isTooSmall else { return startOver() }
    let picture = Picture(content: form.content, size: state.size, isWithdrawn: form.isWithdrawn)
    if picture != shown || isCovered {
      if picture.content != shown?.content { hasReadAll = false }
      if picture.content != shown?.content || picture.size.width != shown?.size.width { read = [] }
      (shown, shownSince, lines, view, isCovered) = (picture, moment, [:], nil, false)
    }
    guard let visible = visibleLines(state, form) else { return }
    lines = lines.filter { visible.contains($0.key) }
    for line in visible where lines[line] == nil { lines[line] = moment }
  }

  private mutating func visibleLines(_ state: State, _ form: Form) -> Range<Int>? {
    let place = [
      form.scroll, form.choice, form.keepFor, form.entry == nil ? 0 : 1, form.note.isEmpty ? 0 : 1,
      state.desk.data.panicSince == nil ? 0 : 1,
    ]
    if let view, view.place == place { return view.visible }
    guard let layout = state.formLayout else { return nil }
    let count = layout.lines.count
    let visible = min(form.scroll, count)..<min(count, form.scroll + layout.viewHeight)
    view = View(place: place, visible: visible, count: count)
    return visible
  }

  mutating func noteAnswer() {
    answeredAt = presses.last?.at ?? answeredAt
  }

  /// Whether the answer is one that the last keys may have meant.
  func allows(_ answer: Effect, of form: Form?, at moment: Int64) -> Bool {
    guard let form, !form.isWithdrawn, let last = presses.last, let key = last.key else { return false }
    guard moment - last.at >= 250, let first = firstOfPress(key), isArmed(at: first.at) else { return false }
    guard answer.isAllow else { return true }
    let means = key == "a" || key == "y" || key == .enter && [.allow, .confirm].contains(first.focus)
    return means && first.hadAllBeenThere && form.requiredWord == nil && keeps(answer, first.lifetime)
  }

  private var presses: [Input] { inputs.filter { !$0.isRepeat } }

  /// Returns the first event of a separate press, which has at most two.
  private func firstOfPress(_ key: Key) -> Input? {
    var run: [Input] = []
    for input in presses.reversed() {
      if let next = run.last, next.at - input.at >= 250 { break }
      guard input.key == key else { return nil }
      run.append(input)
    }
    var begun: [Int64] = []
    for input in run.reversed() where begun.last.map({ input.at - $0 > 40 }) ?? true {
      begun.append(input.at)
    }
    return begun.count <= 2 ? run.last : nil
  }

  /// Whether the three times had passed at some moment since the form was shown.
  private func isArmed(at moment: Int64) -> Bool {
    guard shownSince < .max else { return false }
    var armed = max(shownSince + 500, answeredAt + 750)
    for input in inputs where input.at < moment && input.at < armed { armed = max(armed, input.at + 300) }
    return armed <= moment
  }

  private func keeps(_ answer: Effect, _ lifetime: LifetimeChoice?) -> Bool {
    switch answer {
    case .respond(_, .answered(let answer), _), .decide(_, _, let answer): answer.lifetime == lifetime
    default: true
    }
  }
}

extension StormWitness: CustomStringConvertible {
  var description: String {
    let keys = inputs.suffix(8).map { "\($0.key.map { "\($0)" } ?? "noise") at \($0.at)" }
    return "\(keys.joined(separator: ", ")), shown since \(shownSince), answered by \(answeredAt)"
  }
}
