/// The word that a person must type to allow something that can do great harm, and what can happen.
package struct TypedWord: Hashable, Sendable {
  package var text: String
  /// The harm that can follow, as a sentence without its full stop.
  package var consequence: String
}

extension TypedWord {
  /// The parts that programs ask for so often that a word for every single use would soon be typed without reading.
  private static let frequent = ["commands": ["run"], "code": ["load"], "keys": ["use"]]

  /// Creates the word for an allow; `nil` if none is needed.
  ///
  /// - Parameters:
  ///   - answered: What is allowed.
  ///   - definition: The name of the capability.
  ///   - severity: The severity of what is allowed.
  package init?(
    allowing answered: Set<Atom>, of capability: String, _ severity: Severity, for lifetime: LifetimeChoice,
    _ protected: ProtectedNames, _ facts: ValueFacts = ValueFacts()
  ) {
    let names = answered.sorted().flatMap { facts.names(of: $0) }
    if let word = names.lazy.compactMap({ Self.ofProtected($0, protected) }).first {
      self = word
      return
    }
    guard severity == .severe else { return nil }
    let areFrequent = answered.allSatisfy { atom in
      atom.scope != .any && Self.frequent[atom.capability]?.contains(atom.name) == true
    }
    guard areFrequent else {
      self.init(text: capability, consequence: Self.ofWhole[capability] ?? "a wrong yes does great harm")
      return
    }
    guard let word = Self.ofKept(answered, lifetime, facts) else { return nil }
    self = word
  }

  private static let ofWhole = [
    "commands": "every command can do everything that you can do",
    "code": "a library is not held back by anything that the program is denied",
    "keys": "whoever uses a key acts in your name",
  ]

  // MARK: Reasons

  private static func ofProtected(_ atom: Atom, _ names: ProtectedNames) -> TypedWord? {
    guard atom.writesFiles else { return nil }
    switch atom.scope {
    case .path(let path), .folder(let path):
      return names.protection(of: path).map { name, reason in
        TypedWord(
          text: name.drop { $0 == "." }.isEmpty ? name : String(name.drop { $0 == "." }), consequence: reason)
      }
    default: return nil
    }
  }

  /// Returns the word for what is asked for often, if an answer is kept that could do harm later.
  private static func ofKept(
    _ answered: Set<Atom>, _ lifetime: LifetimeChoice, _ facts: ValueFacts
  ) -> TypedWord? {
    guard lifetime != .once else { return nil }
    let scopes = answered.sorted().map(\.scope)
    return scopes.lazy.compactMap(ofScope).first
      ?? (lifetime == .process ? nil : scopes.lazy.compactMap { ofLine($0, facts) }.first)
      ?? (lifetime.isLong
        ? TypedWord(
          text: lifetime == .forever ? "forever" : "long",
          consequence: "it happens again without asking, for longer than a day's work") : nil)
  }

  private static func ofScope(_ scope: Scope) -> TypedWord? {
    switch scope {
    case .lines(let lines) where lines.runsFolder: runs
    case .form(let name) where CommandForm(named: name)?.runsFolder == true: runs
    case .lines(let lines):
      TypedWord(
        text: lines.start?.words.first ?? "lines",
        consequence: "every line like it runs without asking, whatever fills the holes")
    case .form(let name) where CommandForm(named: name)?.effect == .sends:
      ofLine(.command(name), ValueFacts())
    default: nil
    }
  }

  private static let runs = TypedWord(
    text: "runs",
    consequence: "it runs what the files in this folder say, and whoever writes there chooses what that is")

  private static func ofLine(_ scope: Scope, _ facts: ValueFacts) -> TypedWord? {
    guard case .command(let text) = scope else { return nil }
    let line = PossibleLine(text)
    if let writer = facts.writer, line.runsFolder {
      return TypedWord(
        text: runs.text, consequence: "\(writer) may write in this folder, and so choose what it runs")
    }
    return ProgramTable.harm(in: line, proxied: facts.proxied ?? []).map {
      TypedWord(text: $0.word, consequence: $0.consequence)
    }
  }
}

extension LifetimeChoice {
  /// Whether a decision could last longer than until log-out or for eight hours.
  fileprivate var isLong: Bool {
    switch self {
    case .once, .process, .session: false
    case .duration(let duration): duration > .seconds(8 * 3600)
    case .until, .forever: true
    }
  }
}
