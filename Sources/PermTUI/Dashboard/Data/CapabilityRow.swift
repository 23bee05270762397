import PermModel

/// One capability as the screen shows it, without the decisions about it.
struct CapabilityRow: Identifiable, Hashable, Sendable {
  /// The name that requests use, for example `photos`.
  var id: String
  /// The name that people read, for example `Photos`.
  var title: String
  /// The capability's meaning on this machine, for example `the pictures in ~/Pictures, 1 204 files`.
  var summary: String
  /// The end of the sentence "backup asks to …", for example `read your photos`.
  var action: String
  var severity: Severity
  /// The reason why this machine lacks the capability, and how to change that; `nil` if the machine has it.
  var unavailability: Unavailability?
  /// The requirements that programs can ask for, the widest first. Never empty.
  var choices: [RequirementChoice]
  /// The effect of the capability's example operation, such as `count the pictures`; `nil` if the capability has no
  /// example.
  var example: String?
  var lastAsked: Timestamp?
  /// The capability's definition, from which the words of decisions about values come; `nil` if it is not known.
  var definition: CapabilityDefinition?
}

extension CapabilityRow {
  /// Returns the names of `atoms` as people read them, for example `read` or `events, reminders`.
  func words(for atoms: some Collection<Atom>) -> String {
    if let choice = choice(for: atoms) { return choice.title }
    if let definition, atoms.contains(where: { $0.scope != .any }) {
      return definition.title(for: Set(atoms))
    }
    return atoms.map { atom in
      choices.first { $0.atoms == [atom] }?.title ?? (atom.name == Atom.whole ? "use" : atom.name)
    }.joined(separator: ", ")
  }

  private func choice(for atoms: some Collection<Atom>) -> RequirementChoice? {
    // Most decisions are about a single atom. Finding it takes less time than a set for each of them.
    if atoms.count == 1, let atom = atoms.first {
      return choices.first { $0.atoms.count == 1 && $0.atoms.first == atom }
    }
    let asked = Set(atoms)
    return choices.first { $0.atoms == asked }
  }

  /// Returns the severity of an allow for these atoms.
  func severity(of atoms: Set<Atom>) -> Severity { definition?.severity(of: atoms) ?? severity }

  /// Creates the row for a capability from the catalogue.
  ///
  /// - Parameter availability: The result of the probe; `nil` until the probe has run.
  init(_ descriptor: CapabilityDescriptor, _ availability: Availability?, lastAsked: Timestamp?) {
    let definition = descriptor.definition
    self.init(
      id: definition.name, title: definition.title, summary: Self.summary(definition, availability),
      action: definition.action(for: definition.defaultAtoms), severity: definition.severity,
      unavailability: availability?.unavailability, choices: Self.choices(definition),
      example: descriptor.example(asking: definition.defaultAtoms)?.title, lastAsked: lastAsked,
      definition: definition)
  }

  /// Returns the same row with the result of a later probe, and with the time of a later request.
  func with(_ availability: Availability?, lastAsked: Timestamp?) -> CapabilityRow {
    var row = self
    if let definition { row.summary = Self.summary(definition, availability) }
    row.unavailability = availability?.unavailability
    row.lastAsked = lastAsked
    return row
  }

  private static func summary(_ definition: CapabilityDefinition, _ availability: Availability?) -> String {
    if case .available(let found) = availability, !found.isEmpty { return found }
    return definition.summary
  }

  /// Returns the whole capability as the first choice, and then each of its parts as a separate choice.
  private static func choices(_ definition: CapabilityDefinition) -> [RequirementChoice] {
    let atoms = definition.atoms
    let widest = atoms.filter { atom in !atoms.contains { $0 != atom && definition.covers($0, atom) } }
    let sets = [Set(widest)] + atoms.filter { widest != [$0] }.map { [$0] }
    return sets.map { RequirementChoice(atoms: $0, title: definition.title(for: $0)) }
  }
}

/// A capability's current status, across all programs.
enum CapabilityStatus: Hashable, Sendable {
  case waiting(Int)
  case allowed, denied
  /// Only some values are allowed.
  case partlyAllowed
  /// Some programs are allowed the capability, and some are denied it.
  case mixed(allowed: Int, denied: Int)
  /// No decision exists: no program ever asked (``unasked``), or no answer is kept (``undecided``).
  case unasked, undecided
  /// Programs are allowed the capability, but not while the panic lasts.
  case suspended
  case unavailable

  var words: String {
    switch self {
    case .waiting(let count): "\(count) waiting"
    case .allowed: "allowed"
    case .partlyAllowed: "some"
    case .denied: "denied"
    case .mixed(let allowed, let denied): "\(allowed) allowed, \(denied) denied"
    case .unasked: "never asked"
    case .undecided: "not decided"
    case .unavailable: "unavailable"
    case .suspended: "suspended"
    }
  }
}

extension DashboardData {
  func status(of capability: CapabilityRow) -> CapabilityStatus {
    if capability.unavailability != nil { return .unavailable }
    let waiting = waiting(for: capability.id).count
    if waiting > 0 { return .waiting(waiting) }
    let denied = count(of: capability.id, .deny)
    let isOff = isDeniedToEveryone(capability)
    let allowed = isOff ? 0 : countOfPermitted(capability.id)
    if allowed > 0, panicSince != nil { return .suspended }
    switch (allowed > 0, denied > 0) {
    case (false, false) where isOff: return .denied
    case (false, false): return capability.lastAsked == nil ? .unasked : .undecided
    case (true, false): return allowsOnlyValues(capability.id) ? .partlyAllowed : .allowed
    case (false, true): return .denied
    case (true, true): return .mixed(allowed: allowed, denied: denied)
    }
  }

  /// Whether all allows that were read are about certain values.
  private func allowsOnlyValues(_ capability: String) -> Bool {
    decisions(about: capability, .allow).allSatisfy { $0.atoms.allSatisfy { $0.scope != .any } }
  }

  /// Whether everyone is denied all of the capability, by decisions or by the machine's policy.
  func isDeniedToEveryone(_ capability: CapabilityRow) -> Bool {
    let denials = deniedToEveryone[capability.id] ?? []
    guard !denials.isEmpty || isRestricted(capability.id) else { return false }
    let definition = definition(of: capability.id, atoms: [])
    return Judge.isDeniedToEveryone(definition, by: denials, under: policy)
  }

  /// Whether an allow has any effect under the policy.
  func isPermitted(_ allow: DecisionRow) -> Bool {
    !isRestricted(allow.capability) || effect(of: allow) != .forbiddenByPolicy
  }

  /// Returns the number of programs with an allow that has any effect under the policy.
  private func countOfPermitted(_ capability: String) -> Int {
    guard isRestricted(capability) else { return count(of: capability, .allow) }
    return Set(decisions(about: capability, .allow).lazy.filter(isPermitted).map(\.subject)).count
  }

  func isRestricted(_ capability: String) -> Bool {
    policy.restrictions.contains { $0.capability == capability }
  }
}
