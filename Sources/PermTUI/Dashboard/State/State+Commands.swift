import PermModel

extension State {
  /// Forgets the decision in focus at once, since undo brings it back; more than one only after a question that
  /// lists them.
  mutating func forget() -> [Effect] { forget(decisionsInFocus, scopeInFocus) }

  /// - Parameter scope: what they are all of; `nil` for one decision.
  mutating func forget(_ rows: [DecisionRow], _ scope: ForgetScope?) -> [Effect] {
    guard let first = rows.first else {
      report = Report(text: "Nothing is decided here, so there is nothing to forget.")
      return []
    }
    let effect = Effect.forget(scope ?? .decision(first.id))
    if rows.count == 1 {
      report = Report(text: "Forgot: \(sentence(for: first)).", isUndoable: true)
      return [effect]
    }
    let count = max(rows.count, countInFocus)
    let more = count > rows.count ? ["and \(count - rows.count) more programs"] : []
    let confirmation = Confirmation(
      title: "Forget \(count) decisions?",
      message: (rows.map { sentence(for: $0) } + more).joined(separator: "\n"), action: "Forget")
    let report = Report(text: "Forgot \(count) decisions.", isUndoable: true)
    open(Form(.question(Question(confirmation: confirmation, effects: [effect], report: report))))
    return []
  }

  /// The decisions that `forget` is about.
  private var decisionsInFocus: [DecisionRow] {
    switch list.selection {
    case .decision(let id): data.decision(id).map { [$0] } ?? []
    case .capability(let id): Array(data.decisions(about: id))
    case .program(let program): data.decisions(for: program)
    default: []
    }
  }

  /// How many there are, where not all have been read.
  private var countInFocus: Int {
    if case .capability(let id) = list.selection { data.count(about: id) } else { 0 }
  }

  private var scopeInFocus: ForgetScope? {
    switch list.selection {
    case .capability(let id): .capability(id)
    case .program(let program): .program(program)
    default: nil
    }
  }

  /// Panic works at once; lifting it takes a confirmation.
  mutating func panic() -> [Effect] {
    guard data.panicSince != nil else { return [.setPanic(true)] }
    let confirmation = Confirmation(
      title: "Lift the panic?",
      message: "All suspended allows hold again, and programs may ask again.", action: "Lift it")
    let report = Report(text: "The panic is lifted.")
    open(Form(.question(Question(confirmation: confirmation, effects: [.setPanic(false)], report: report))))
    return []
  }

  mutating func askNow() -> [Effect] {
    guard case .capability(let id) = screen, let capability = data.capability(id) else { return [] }
    guard let why = capability.unavailability else { return [.askNow(capability: id)] }
    report = Report(
      text: "\(capability.title) cannot be asked for: \(typesetter.visible(why.reason)).", isError: true)
    return []
  }

  mutating func runExample() -> [Effect] {
    guard case .capability(let id) = screen, let capability = data.capability(id) else { return [] }
    guard capability.example != nil else {
      report = Report(text: "\(capability.title) has no example.")
      return []
    }
    guard examples[id] != .running else { return [] }
    examples[id] = .running
    return [.runExample(capability: id)]
  }

  /// A decision in a few words: `photos: read for backup, allowed until 14:05`.
  func sentence(for row: DecisionRow) -> String {
    let words = "\(row.verdict.past) \(row.lifetime.words(short))"
    return "\(requirement(row)) for \(typesetter.visible(row.subject.label)), \(words)"
  }

  /// `photos: read`, or only the capability where it has no parts.
  private func requirement(_ row: DecisionRow) -> String {
    guard let capability = data.capability(row.capability), capability.choices.count > 1 else {
      return row.capability
    }
    return "\(row.capability): \(capability.words(for: row.atoms))"
  }
}
