/// The states of a device, which is allowed as a whole.
public enum DeviceStatus: String, AuthorizationStatus, CaseIterable {
  case undecided, restricted, denied, allowed

  public init(_ state: AtomState) {
    switch state {
    case .undecided: self = .undecided
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .allowed: self = .allowed
    }
  }

  public func meets(_ requirement: DeviceRequirement) -> Bool { self == .allowed }

  public var summary: StatusSummary {
    switch self {
    case .undecided: .undecided
    case .restricted: .restricted
    case .denied: .denied
    case .allowed: .allowed
    }
  }

  public var description: String { summary.description }
}

/// The requirement of a device: the whole of it.
public struct DeviceRequirement: CapabilityRequirement {
  public var atoms: Set<Atom>

  public init(capability: String) { atoms = [Atom(capability)] }
  public init(atoms: Set<Atom>) { self.atoms = atoms }
}

/// The states of a capability whose atoms are allowed and denied one by one.
public struct StandardStatus<Requirement: CapabilityRequirement>: AuthorizationStatus {
  /// The state of every atom that the capability knows.
  public var states: [Atom: AtomState]

  public init(states: [Atom: AtomState]) { self.states = states }

  public subscript(atom: Atom) -> AtomState { states[atom, default: .undecided] }

  public func meets(_ requirement: Requirement) -> Bool {
    requirement.atoms.allSatisfy { self[$0] == .allowed }
  }

  public var summary: StatusSummary { StatusSummary(states.values) }

  public var description: String {
    guard states.count > 1 else { return states.first?.value.description ?? "\(summary)" }
    return describe(states.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) })
  }
}

extension DecidedAtoms {
  /// The state of each of these atoms.
  func states(of atoms: Set<Atom>) -> [Atom: AtomState] {
    Dictionary(uniqueKeysWithValues: atoms.map { ($0, state(of: $0)) })
  }
}

/// States in words, those that nobody was asked for left out: `events allowed, reminders denied`.
func describe(_ states: [(String, AtomState)]) -> String {
  let answered = states.filter { $0.1 != .undecided }
  guard !answered.isEmpty else { return AtomState.undecided.description }
  return answered.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
}
