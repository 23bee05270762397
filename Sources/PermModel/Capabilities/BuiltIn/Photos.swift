extension Capability {
  /// The pictures in this user's pictures folder.
  public struct Photos: CapabilityType {
    /// What may be done with them.
    public enum Access: String, Sendable, CaseIterable {
      /// See every picture.
      case read
      /// See the pictures of the last thirty days.
      case limited
      /// Put pictures in, and see none.
      case addOnly = "add-only"
    }

    public struct Requirement: CapabilityRequirement {
      public var access: Set<Access>

      public static let read = Requirement([.read])
      public static let limited = Requirement([.limited])
      public static let addOnly = Requirement([.addOnly])

      public init(_ access: Set<Access>) { self.access = access }
      public init(atoms: Set<Atom>) { self.init(Set(atoms.parts(of: Access.self, in: Photos.definition))) }
      public var atoms: Set<Atom> { Photos.definition.atoms(access) }
    }

    /// How much may be seen.
    public enum Reading: String, Sendable, CaseIterable {
      case undecided, restricted, denied, limited, allowed
    }

    public struct Status: AuthorizationStatus {
      public var reading: Reading
      public var adding: AtomState

      public init(_ reading: Reading = .undecided, adding: AtomState = .undecided) {
        self.reading = reading
        self.adding = adding
      }

      public func meets(_ requirement: Requirement) -> Bool {
        requirement.access.allSatisfy { access in
          switch access {
          case .read: reading == .allowed
          case .limited: reading == .allowed || reading == .limited
          case .addOnly: adding == .allowed
          }
        }
      }

      public var summary: StatusSummary {
        switch reading {
        case .limited: .mixed
        case .undecided: StatusSummary([adding])
        case .restricted: StatusSummary([.restricted, adding])
        case .denied: StatusSummary([.denied, adding])
        case .allowed: StatusSummary([.allowed, adding])
        }
      }

      public var description: String {
        let word = reading == .undecided ? AtomState.undecided.description : reading.rawValue
        switch adding {
        case .undecided: return word
        case .allowed where reading == .undecided: return "add only"
        case .allowed, .denied, .restricted: return "\(word), adding \(adding)"
        }
      }
    }

    public static let definition = CapabilityDefinition(
      name: "photos", title: "Photos", summary: "The pictures in your pictures folder.",
      parts: [
        CapabilityPart(
          Access.read.rawValue, action: "read your photos", explanation: "Every picture in the folder.",
          implies: [Access.limited.rawValue]),
        CapabilityPart(
          Access.limited.rawValue, title: "limited", action: "read your photos of the last 30 days",
          explanation: "Only pictures that are not older than 30 days."),
        CapabilityPart(
          Access.addOnly.rawValue, title: "add only", action: "add pictures to your photos",
          explanation: "It sees none of those that are there.", severity: .mild),
      ])

    public var definition: CapabilityDefinition { Self.definition }
    public let requirement: Requirement

    public init(_ requirement: Requirement = .read) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let shown = environment.shortened(environment.pictures)
      guard FileSystem().isFolder(environment.pictures) else {
        return .missing("no pictures folder", remedy: "make \(shown), or run xdg-user-dirs-update")
      }
      guard !FileSystem().isUnreadableFolder(environment.pictures) else {
        return .undetermined("\(shown) cannot be read", remedy: "give your user the right to read it")
      }
      return .available(found: "the pictures in \(shown)")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { [environment.pictures] }

    public func status(from facts: CapabilityFacts) -> Status {
      Status(
        reading(from: facts.decided), adding: facts.decided.state(of: Access.addOnly.rawValue))
    }

    private func reading(from decided: DecidedAtoms) -> Reading {
      switch (decided.state(of: Access.read.rawValue), decided.state(of: Access.limited.rawValue)) {
      case (.allowed, _): .allowed
      case (_, .allowed): .limited
      case (.restricted, _): .restricted
      case (.denied, _), (.undecided, .denied): .denied
      case (.undecided, _): .undecided
      }
    }

    public func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
      let folder = environment.shortened(environment.pictures)
      let access = Requirement(atoms: atoms).access
      let pictures = PictureFolder(environment.pictures)
      if access.contains(.read) {
        return "All \(pictures.count()) files in \(folder)."
      }
      if access.contains(.limited) {
        return "The pictures of the last 30 days in \(folder)."
      }
      return "Puts files into \(folder); it sees none of those that are there."
    }
  }
}
