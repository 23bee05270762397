/// What the machine's owner forbids, whatever the person answers. The status is then *restricted*.
public struct MachinePolicy: Hashable, Sendable {
  /// One thing that is forbidden.
  public struct Restriction: Hashable, Sendable {
    /// The capability's name.
    public var capability: String
    /// Names of the forbidden parts; `nil` for all of it. An empty set, or one with a name that is no part, is a mistake,
    /// and counts as all of it until it is mended.
    public var parts: Set<String>?
    /// Files of the programs that it is forbidden to; `nil` for all programs.
    public var programs: Set<String>?

    public init(capability: String, parts: Set<String>? = nil, programs: Set<String>? = nil) {
      self.capability = capability
      self.parts = parts
      self.programs = programs
    }
  }

  public var restrictions: [Restriction]

  public init(_ restrictions: [Restriction]) { self.restrictions = restrictions }

  /// Nothing is forbidden.
  public static let none = MachinePolicy([])

  /// What a program may not have of a capability.
  ///
  /// A program whose file is not known is taken for any program: what is forbidden to some is forbidden to it.
  public func restricted(for subject: Subject, _ definition: CapabilityDefinition) -> Set<Atom> {
    let applying = restrictions.filter { restriction in
      guard restriction.capability == definition.name else { return false }
      guard let programs = restriction.programs, let path = subject.path else { return true }
      return programs.contains(path)
    }
    return Set(applying.flatMap { $0.atoms(of: definition) })
  }
}

extension MachinePolicy.Restriction {
  /// What of a capability it forbids.
  fileprivate func atoms(of definition: CapabilityDefinition) -> [Atom] {
    guard let parts, !parts.isEmpty, parts.allSatisfy(definition.hasPart) else { return definition.atoms }
    return parts.map { Atom(definition.name, $0) }
  }
}

extension CapabilityDefinition {
  /// Whether a policy can name a part like this, with or without a container.
  func hasPart(_ name: String) -> Bool {
    let reference = PartReference(name, splitting: takesContainers)
    return parts.contains { $0.name == reference.part } && reference.container?.isEmpty != true
  }
}
