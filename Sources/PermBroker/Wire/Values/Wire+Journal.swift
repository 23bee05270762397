import PermModel

extension Wire {
  struct Decision: Codable, Hashable, Sendable {
    var program: Program
    var capability: String
    var part: String
    var scope: ScopeFields?
    var verdict: Verdict
    var lifetime: Lifetime
    var origin: String
    var note: String?
    var decided: Int64
    var used: Int64?
  }

  struct Entry: Codable, Hashable, Sendable {
    var id: Int64
    var at: Int64
    var kind: JournalEntry.Kind
    var origin: String?
    var program: Program?
    var capability: String?
    var parts: [String]
    var values: [Value]?
    var request: String?
    var verdict: Verdict?
    var text: String?
    var count: Int
    var last: Int64?
    var change: Int64?
    var before: Decision?
    var after: Decision?
    var kept: Bool?
    var decision: DecisionKey?
    /// The first values of automatic answers, in order.
    var asked: [Value]?
  }

  /// The program, part and scope of a decision.
  struct DecisionKey: Codable, Hashable, Sendable {
    var program: Program
    var part: String
    var scope: ScopeFields?
  }
}

extension Wire.Decision {
  init(_ decision: Decision) {
    self.init(
      program: Wire.Program(decision.subject), capability: decision.atom.capability, part: decision.atom.name,
      scope: decision.atom.scope == .any ? nil : ScopeFields(decision.atom.scope),
      verdict: decision.verdict, lifetime: Wire.Lifetime(decision.lifetime),
      origin: decision.origin.description,
      note: decision.note, decided: decision.decidedAt.microseconds, used: decision.lastUsed?.microseconds)
  }

  private func atom() throws(BrokerError) -> Atom {
    guard let scope else { return Atom(capability, written: part) }
    return Atom(capability, part, try scope.checked())
  }

  func decision() throws(BrokerError) -> Decision {
    Decision(
      subject: program.subject, atom: try atom(), verdict: verdict, lifetime: lifetime.lifetime,
      origin: Origin(origin) ?? .library, note: note, decidedAt: Timestamp(microseconds: decided),
      lastUsed: used.map(Timestamp.init(microseconds:)))
  }
}

extension Wire.Entry {
  init(_ entry: JournalEntry) {
    self.init(
      id: entry.id, at: entry.at.microseconds, kind: entry.kind, origin: entry.origin?.description,
      program: entry.subject.map(Wire.Program.init), capability: entry.capability,
      parts: entry.atoms.wholeParts, values: entry.atoms.wireValues, request: entry.request?.text,
      verdict: entry.verdict,
      text: entry.text, count: entry.count, last: entry.lastAt?.microseconds, change: entry.change,
      before: entry.before.map(Wire.Decision.init), after: entry.after.map(Wire.Decision.init),
      kept: entry.isKept ? true : nil, decision: entry.decision.map(Wire.DecisionKey.init),
      asked: entry.values.isEmpty
        ? nil : entry.values.map { Wire.Value(part: $0.name, scope: ScopeFields($0.scope)) })
  }

  func entry() throws(BrokerError) -> JournalEntry {
    var entry = JournalEntry(
      id: id, at: Timestamp(microseconds: at), kind: kind, origin: origin.flatMap { Origin($0) },
      subject: program?.subject, capability: capability,
      atoms: try Set(capability ?? "", parts: parts, values: values), request: request.map { Request.ID($0) },
      verdict: verdict, text: text)
    entry.count = count
    entry.lastAt = last.map(Timestamp.init(microseconds:))
    entry.change = change
    entry.before = try before?.decision()
    entry.after = try after?.decision()
    entry.isKept = kept ?? false
    entry.decision = try decision?.key(of: capability ?? "")
    for value in asked ?? [] {
      entry.values.append(Atom(capability ?? "", value.part, try value.scope.checked()))
    }
    return entry
  }
}

extension Wire.DecisionKey {
  init(_ key: Decision.Key) {
    self.init(
      program: Wire.Program(key.subject), part: key.atom.name,
      scope: key.atom.scope == .any ? nil : ScopeFields(key.atom.scope))
  }

  fileprivate func key(of capability: String) throws(BrokerError) -> Decision.Key {
    Decision.Key(
      subject: program.subject, atom: Atom(capability, part, try scope?.checked() ?? .any))
  }
}
