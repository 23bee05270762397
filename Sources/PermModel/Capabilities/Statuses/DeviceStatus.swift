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
