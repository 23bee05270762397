extension Capability {
  /// The pictures in this user's pictures folder.
  public struct Photos: PartedCapability {
    /// A kind of access to the pictures.
    public enum Part: String, Sendable, CaseIterable {
      /// Access to every picture.
      case read
      /// Access only to the pictures of the last thirty days.
      case limited
      /// Adding pictures without seeing any.
      case addOnly = "add-only"
    }

    /// The extent to which the program is allowed to see pictures.
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

      public func meets(_ requirement: PartRequirement<Photos>) -> Bool {
        requirement.parts.allSatisfy { part in
          switch part {
          case .read: reading == .allowed
          case .limited: reading == .allowed || reading == .limited
          case .addOnly: adding == .allowed
          }
        }
      }

      public var summary: StatusSummary {
        AtomState(rawValue: reading.rawValue).map { StatusSummary([$0, adding]) } ?? .mixed
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
          "read", action: "read your photos", explanation: "Every picture in the folder.",
          implies: ["limited"]),
        CapabilityPart(
          "limited", title: "limited", action: "read your photos of the last 30 days",
          explanation: "Only pictures that are not older than 30 days."),
        CapabilityPart(
          "add-only", title: "add only", action: "add pictures to your photos",
          explanation: "It sees none of those that are there.", severity: .mild),
      ])

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
        facts.decided.state(of: "read", orOnly: .limited), adding: facts.decided.state(of: "add-only"))
    }

    public func explanation(for atoms: Set<Atom>, in environment: ProbeEnvironment) async -> String {
      let folder = environment.shortened(environment.pictures)
      let parts = Requirement(atoms: atoms).parts
      let pictures = PictureFolder(environment.pictures)
      if parts.contains(.read) {
        return "All \(pictures.count()) files in \(folder)."
      }
      if parts.contains(.limited) {
        return "The pictures of the last 30 days in \(folder)."
      }
      return "Puts files into \(folder); it sees none of those that are there."
    }
  }
}

extension PartRequirement<Capability.Photos> {
  public static var read: Self { Self([.read]) }
  public static var limited: Self { Self([.limited]) }
  public static var addOnly: Self { Self([.addOnly]) }
}

extension Capability.Photos.Status: PartedStatus {
  func state(of atom: Atom) -> AtomState? {
    switch Capability.Photos.Part(rawValue: atom.name) {
    case .read: AtomState(rawValue: reading.rawValue)
    case .addOnly: adding
    // A denial of reading does not tell what became of the smaller part.
    case .limited, nil: nil
    }
  }
}
