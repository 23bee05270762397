import PermModel

extension Desk {
  /// Forgets a single decision immediately, because undo can restore it. Several decisions are forgotten only after the
  /// person confirms the list of them.
  ///
  /// - Parameters:
  ///   - scope: The scope to forget; `nil` for a single decision.
  ///   - count: The total number of decisions in the scope, if not all of them have been read.
  mutating func forget(_ rows: [DecisionRow], _ scope: ForgetScope?, of count: Int = 0) -> [Effect] {
    guard let first = rows.first else {
      return say("There is no decision here to forget.")
    }
    let effect = Effect.forget(scope ?? .decision(first.id))
    if rows.count == 1 {
      report = Report(text: "Forgot: \(sentence(for: first)).", isUndoable: true)
      return [effect]
    }
    let count = max(rows.count, count)
    let more = count > rows.count ? ["and \(count - rows.count) more"] : []
    let confirmation = Confirmation(
      title: "Forget \(count) decisions?",
      message: (rows.map { sentence(for: $0) } + more).joined(separator: "\n"), action: "Forget")
    return ask(confirmation, before: effect, Report(text: "Forgot \(count) decisions.", isUndoable: true))
  }

  /// The greatest number of allows that are forgotten together, because the person has to see all of them.
  private static let mostUnused = 200

  /// Forgets the allows that no program has used for 90 days, after the person has confirmed the list of them.
  mutating func forgetUnused() -> [Effect] {
    guard data.scope == .all else { return say("The decisions are still being read.") }
    let limit = Timestamp(seconds: now.wall.seconds - Decision.unusedAfter)
    let all = data.decisions.filter { $0.isUnused(since: limit) }
    let rows = all.prefix(Self.mostUnused)
    guard !rows.isEmpty else { return say("Each allow was used, or made, in the last 90 days.") }
    let count = rows.count == 1 ? "1 allow" : "\(rows.count) allows"
    let more = all.count > rows.count ? " first" : ""
    let lines = rows.map { row in
      let used =
        row.lastUsed.map { "last used \(short($0))" } ?? "decided \(short(row.decidedAt)), never used"
      return "\(sentence(for: row)); \(used)"
    }
    let confirmation = Confirmation(
      title: "Forget the\(more) \(count) that no program used for 90 days?",
      message: lines.joined(separator: "\n"), action: "Forget")
    return ask(
      confirmation, before: .forgetUnused(rows.map(\.id), since: limit),
      Report(text: "Forgot \(count).", isUndoable: true))
  }

  /// Forgets all decisions of a group after the person has confirmed it.
  mutating func forget(_ group: ValueGroup) -> [Effect] {
    let atoms = group.rows.flatMap(\.atoms).sorted()
    let id = DecisionRow.ID(subject: group.id.subject, capability: group.id.capability, atoms: atoms)
    return forget(Array(group.rows.prefix(20)), .decision(id), of: group.rows.count)
  }

  /// Starts a panic immediately. If a panic is on, ends it after a confirmation.
  mutating func panic() -> [Effect] {
    guard data.panicSince != nil else { return [.setPanic(true)] }
    let confirmation = Confirmation(
      title: "Lift the panic?",
      message: "All suspended allows hold again, and programs may ask again.", action: "Lift it")
    return ask(confirmation, before: .setPanic(false), Report(text: "The panic is lifted."))
  }

  mutating func askNow(_ capability: CapabilityRow) -> [Effect] {
    guard let why = capability.unavailability else { return [.askNow(capability: capability.id)] }
    return say("\(capability.title) cannot be asked for: \(visible(why.reason)).", isError: true)
  }

  mutating func runExample(_ capability: CapabilityRow) -> [Effect] {
    guard capability.example != nil else { return say("\(capability.title) has no example.") }
    guard examples[capability.id] != .running else { return [] }
    examples[capability.id] = .running
    return [.runExample(capability: capability.id)]
  }

  mutating func ask(_ question: Question) -> [Effect] {
    open(Form(.question(question)))
    return []
  }

  mutating func say(_ text: String, isError: Bool = false) -> [Effect] {
    report = Report(text: text, isError: isError)
    return []
  }

  /// Asks for confirmation before an effect that the person should think twice about.
  mutating func ask(_ confirmation: Confirmation, before effect: Effect, _ report: Report) -> [Effect] {
    ask(Question(confirmation: confirmation, effect: effect, report: report))
  }

  /// Returns a decision in a few words, for example `photos: read for backup, allowed until 14:05`.
  func sentence(for row: DecisionRow) -> String {
    let words = "\(row.past) \(row.lifetime.words(short))"
    return "\(requirement(row)) for \(name(of: row.subject)), \(words)"
  }

  /// Returns the capability and its parts, for example `photos: read`, or only the capability if it has no parts.
  private func requirement(_ row: DecisionRow) -> String {
    guard let capability = data.capability(row.capability),
      capability.choices.count > 1 || row.atoms.contains(where: { $0.scope != .any })
    else {
      return row.isMute ? name(ofCapability: row.capability) : row.capability
    }
    return "\(row.capability): \(typesetter.visibleWords(capability.words(for: row.atoms)))"
  }
}
