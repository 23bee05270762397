import PermModel

extension Desk {
  /// Forgets one decision at once, since undo brings it back; more than one only after a question that lists them.
  ///
  /// - Parameters:
  ///   - scope: what they are all of; `nil` for one decision.
  ///   - count: how many there are, if not all have been read.
  mutating func forget(_ rows: [DecisionRow], _ scope: ForgetScope?, of count: Int = 0) -> [Effect] {
    guard let first = rows.first else {
      report = Report(text: "Nothing is decided here, so there is nothing to forget.")
      return []
    }
    let effect = Effect.forget(scope ?? .decision(first.id))
    if rows.count == 1 {
      report = Report(text: "Forgot: \(sentence(for: first)).", isUndoable: true)
      return [effect]
    }
    let count = max(rows.count, count)
    let more = count > rows.count ? ["and \(count - rows.count) more programs"] : []
    let confirmation = Confirmation(
      title: "Forget \(count) decisions?",
      message: (rows.map { sentence(for: $0) } + more).joined(separator: "\n"), action: "Forget")
    let report = Report(text: "Forgot \(count) decisions.", isUndoable: true)
    open(Form(.question(Question(confirmation: confirmation, effects: [effect], report: report))))
    return []
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

  mutating func askNow(_ capability: CapabilityRow) -> [Effect] {
    guard let why = capability.unavailability else { return [.askNow(capability: capability.id)] }
    report = Report(
      text: "\(capability.title) cannot be asked for: \(typesetter.visible(why.reason)).", isError: true)
    return []
  }

  mutating func runExample(_ capability: CapabilityRow) -> [Effect] {
    guard capability.example != nil else {
      report = Report(text: "\(capability.title) has no example.")
      return []
    }
    guard examples[capability.id] != .running else { return [] }
    examples[capability.id] = .running
    return [.runExample(capability: capability.id)]
  }

  /// A decision in a few words: `photos: read for backup, allowed until 14:05`.
  func sentence(for row: DecisionRow) -> String {
    let words = row.verdict == .allow ? "allowed" : "denied"
    return "\(requirement(row)) for \(typesetter.visible(row.subject.label)), \(words) \(lifetime(row))"
  }

  /// `photos: read`, or only the capability where it has no parts.
  private func requirement(_ row: DecisionRow) -> String {
    guard let capability = data.capability(row.capability), capability.choices.count > 1 else {
      return row.capability
    }
    return "\(row.capability): \(capability.words(for: row.atoms))"
  }
}
