import PermModel

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
