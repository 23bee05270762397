extension Capability {
  /// This machine's location.
  public struct Location: BuiltInCapability {
    /// The times at which a program wants to know the location.
    public enum Usage: String, Sendable, CaseIterable {
      case whenInUse = "when-in-use"
      case always
    }

    /// The precision with which a program wants to know the location.
    public enum Precision: String, Sendable, CaseIterable { case approximate, precise }

    public struct Requirement: CapabilityRequirement {
      public var usage: Usage
      public var precision: Precision

      public static let whenInUse = Requirement(.whenInUse)
      public static let always = Requirement(.always)

      public init(_ usage: Usage, precision: Precision = .approximate) {
        self.usage = usage
        self.precision = precision
      }

      public init(atoms: Set<Atom>) {
        let names = Set(atoms.filter { $0.capability == Location.definition.name }.map(\.name))
        usage = names.contains(Usage.always.rawValue) ? .always : .whenInUse
        precision = names.contains(Precision.precise.rawValue) ? .precise : .approximate
      }

      public var atoms: Set<Atom> {
        let name = Location.definition.name
        let usage: Set = [Atom(name, usage.rawValue)]
        return precision == .precise ? usage.union([Atom(name, Precision.precise.rawValue)]) : usage
      }
    }

    /// The times at which a program is allowed to know the location.
    public enum Authorization: String, Sendable, CaseIterable {
      case undecided, restricted, denied
      case whenInUse = "when in use"
      case always
    }

    public struct Status: AuthorizationStatus {
      public var authorization: Authorization
      /// The state of access to the precise location. Access to the approximate location is part of both
      /// `whenInUse` and `always`.
      public var precise: AtomState

      public init(_ authorization: Authorization = .undecided, precise: AtomState = .undecided) {
        self.authorization = authorization
        self.precise = precise
      }

      public func meets(_ requirement: Requirement) -> Bool {
        guard authorization == .always || authorization == .whenInUse && requirement.usage == .whenInUse
        else { return false }
        return requirement.precision == .approximate || precise == .allowed
      }

      public var summary: StatusSummary {
        AtomState(rawValue: authorization.rawValue).map { StatusSummary([$0]) } ?? .allowed
      }

      public var description: String {
        let allowed = "\(authorization.rawValue)\(precise == .allowed ? ", precise" : "")"
        return AtomState(rawValue: authorization.rawValue)?.description ?? allowed
      }
    }

    public static let definition = CapabilityDefinition(
      name: "location", title: "Location", summary: "The place where this machine is.",
      parts: [
        CapabilityPart(
          Usage.whenInUse.rawValue, title: "when in use", action: "know where you are while it runs",
          explanation: "About where this machine is, as long as the program runs."),
        CapabilityPart(
          Usage.always.rawValue, action: "know where you are at any time",
          explanation: "About where this machine is, also from the background.",
          implies: [Usage.whenInUse.rawValue]),
        CapabilityPart(
          Precision.precise.rawValue, action: "know exactly where you are",
          explanation: "To a few metres.", implies: [Usage.whenInUse.rawValue]),
      ])

    public let requirement: Requirement

    public init(_ requirement: Requirement = .whenInUse) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let services = BusServices(folders: environment.systemServices)
      guard services.provider(of: "org.freedesktop.GeoClue2") != nil else {
        return .missing("GeoClue is not installed", remedy: "install it: apt install geoclue-2.0")
      }
      return .available(found: "GeoClue")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { environment.systemServices }

    public func status(from facts: CapabilityFacts) -> Status {
      Status(authorization(from: facts.decided), precise: facts.decided.state(of: Precision.precise.rawValue))
    }

    private func authorization(from decided: DecidedAtoms) -> Authorization {
      if decided.state(of: Usage.always.rawValue) == .allowed { return .always }
      switch decided.state(of: Usage.whenInUse.rawValue) {
      case .allowed: return .whenInUse
      case .denied: return .denied
      case .restricted: return .restricted
      case .undecided:
        return decided.state(of: Usage.always.rawValue) == .denied ? .denied : .undecided
      }
    }
  }
}

extension Capability.Location.Status: PartedStatus {
  func state(of atom: Atom) -> AtomState? {
    switch atom.name {
    case Capability.Location.Usage.always.rawValue: AtomState(rawValue: authorization.rawValue)
    case Capability.Location.Precision.precise.rawValue: precise
    // A denial of *always* does not tell what became of the smaller part.
    default: nil
    }
  }
}
