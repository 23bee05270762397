import PermModel

/// The rows of the first view: every capability with its present status.
struct CapabilityList {
  let state: State

  static let columns = [
    Column(title: "Capability", width: 15, weight: 1), Column(title: "Status", width: 15),
    Column(title: "Who may use it", width: 36, weight: 4),
    Column(title: "Last asked", width: 10, isOptional: true, isRightAligned: true),
  ]

  func row(_ id: String) -> ListRow {
    guard let capability = state.data.capability(id) else { return ListRow([]) }
    let typesetter = state.typesetter
    let status = state.data.status(of: capability)
    let asked = capability.lastAsked.map { state.short($0) } ?? "–"
    return ListRow(
      mark: mark(id),
      [
        TextLine.Span(typesetter.visible(capability.title)),
        status.span,
        TextLine.Span(who(capability, status), status == .unavailable ? .muted : .normal),
        TextLine.Span(asked, .muted),
      ])
  }

  private func mark(_ id: String) -> String {
    if state.marks.unseen.contains(where: { $0.capability == id }) { return "!" }
    return state.marks.fresh.contains { $0.capability == id } ? "*" : " "
  }

  /// Returns the programs that may use it, or the reason why none can.
  private func who(_ capability: CapabilityRow, _ status: CapabilityStatus) -> String {
    if let why = capability.unavailability { return state.typesetter.visible(why.reason) }
    let allowed = state.data.decisions(about: capability.id, .allow)
    let denied = state.data.decisions(about: capability.id, .deny)
    let deniedWords = denied.isEmpty ? "" : "not \(names(denied, capability, .deny))"
    if allowed.isEmpty { return denied.isEmpty ? "" : "nobody; \(deniedWords)" }
    let allowedWords =
      allowed.count == 1 ? single(allowed, capability) : names(allowed, capability, .allow)
    return denied.isEmpty ? allowedWords : "\(allowedWords); \(deniedWords)"
  }

  /// Returns the first few programs, and the number of others.
  private func names(
    _ rows: some Collection<DecisionRow>, _ capability: CapabilityRow, _ verdict: Verdict
  ) -> String {
    var shown: [Subject] = []
    for row in rows where shown.count < 6 && shown.last != row.subject { shown.append(row.subject) }
    let more = state.data.count(of: capability.id, verdict) - shown.count
    let names = shown.map { state.typesetter.visible($0.label) }.joined(separator: ", ")
    return more > 0 ? "\(names) and \(more) more" : names
  }

  /// Returns the only program that may use it, with the details: `tracker (when in use, to 14:04)`.
  private func single(_ rows: some Collection<DecisionRow>, _ capability: CapabilityRow) -> String {
    guard let row = rows.first else { return "" }
    var special: [String] = []
    if let widest = capability.choices.first, widest.atoms != Set(row.atoms) {
      special.append(state.typesetter.visible(capability.words(for: row.atoms)))
    }
    if row.lifetime != .forever { special.append("to \(row.lifetime.end(state.short))") }
    let label = state.typesetter.visible(row.subject.label)
    return special.isEmpty ? label : "\(label) (\(special.joined(separator: ", ")))"
  }
}

extension CapabilityStatus {
  /// The status as a sign and a word, so that it can be recognized without colours.
  var span: TextLine.Span {
    switch self {
    case .waiting: TextLine.Span("? \(words)", .attention, bold: true)
    case .allowed: TextLine.Span("● \(words)", .allowed)
    case .denied: TextLine.Span("✕ \(words)", .denied)
    case .mixed: TextLine.Span("◐ \(words)", .normal)
    case .unasked, .undecided: TextLine.Span("○ \(words)", .muted)
    case .unavailable: TextLine.Span("– \(words)", .muted)
    case .suspended: TextLine.Span("✕ \(words)", .denied)
    }
  }
}
