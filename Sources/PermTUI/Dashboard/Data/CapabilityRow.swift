import PermModel

/// One capability as the screen shows it, without what was decided about it.
struct CapabilityRow: Identifiable, Hashable, Sendable {
  /// Whether this machine has what the capability stands for.
  enum Availability: Hashable, Sendable {
    case available
    /// Not here: why, and how to change that, in words.
    case unavailable(reason: String, remedy: String)
    /// Switched off by the policy file.
    case restricted(reason: String)
  }

  /// The name that requests use, for example `photos`.
  var id: String
  /// The name that people read, for example `Photos`.
  var title: String
  /// What it stands for on this machine, for example `the pictures in ~/Pictures, 1 204 files`.
  var summary: String
  /// The end of the sentence "backup asks to …", for example `read your photos`.
  var action: String
  var severity: Severity
  var availability: Availability
  /// What may be asked for, the widest first. Never empty.
  var choices: [RequirementChoice]
  /// What the example operation does, for example `count the pictures`; `nil` where there is none.
  var example: String?
  var lastAsked: Timestamp?
}

extension CapabilityRow {
  /// The names of `atoms` as people read them, for example `read` or `events, reminders`.
  func words(for atoms: some Collection<Atom>) -> String {
    let asked = Set(atoms)
    if let choice = choices.first(where: { $0.atoms == asked }) { return choice.title }
    return atoms.map { atom in
      choices.first { $0.atoms == [atom] }?.title ?? (atom.name == Atom.whole ? "use" : atom.name)
    }.joined(separator: ", ")
  }
}

extension CapabilityRow {
  /// A capability of the catalogue as the screen shows it.
  ///
  /// - Parameter availability: what the probe found; `nil` while it has not looked.
  init(_ descriptor: CapabilityDescriptor, _ availability: PermModel.Availability?, lastAsked: Timestamp?) {
    let definition = descriptor.definition
    self.init(
      id: definition.name, title: definition.title, summary: Self.summary(definition, availability),
      action: definition.action(for: definition.defaultAtoms), severity: definition.severity,
      availability: Self.availability(availability), choices: Self.choices(definition),
      example: descriptor.capability(asking: definition.defaultAtoms).example?.title, lastAsked: lastAsked)
  }

  private static func summary(_ definition: CapabilityDefinition, _ availability: PermModel.Availability?)
    -> String
  {
    if case .available(let found) = availability, !found.isEmpty { return found }
    return definition.summary
  }

  private static func availability(_ found: PermModel.Availability?) -> Availability {
    guard let why = found?.unavailability else { return .available }
    return .unavailable(reason: why.reason, remedy: why.remedy)
  }

  /// All of it, then each part alone.
  private static func choices(_ definition: CapabilityDefinition) -> [RequirementChoice] {
    let all = definition.withoutCovered(Set(definition.atoms))
    var sets = [all]
    for atom in definition.atoms where !sets.contains([atom]) { sets.append([atom]) }
    return sets.map { RequirementChoice(atoms: $0, title: definition.title(for: $0)) }
  }
}
