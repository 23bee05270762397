extension Capability {
  /// The measurements in this user's health data folder. Each type of measurement has its own permissions.
  public struct Health: BuiltInCapability {
    /// A kind of measurement.
    public enum DataType: String, Sendable, CaseIterable {
      case steps, heart, weight, sleep, workouts, energy, glucose, oxygen, temperature
      case bloodPressure = "blood-pressure"

      /// The type as it is written in a sentence, for example `heart rate`.
      package var words: String {
        switch self {
        case .heart: "heart rate"
        case .energy: "energy use"
        case .glucose: "blood glucose"
        case .oxygen: "blood oxygen"
        case .temperature: "body temperature"
        case .bloodPressure: "blood pressure"
        case .steps, .weight, .sleep, .workouts: rawValue
        }
      }
    }

    public struct Requirement: CapabilityRequirement {
      /// The types of measurements that the program asks to add.
      public var share: Set<DataType>
      /// The types of measurements that the program asks to read.
      public var read: Set<DataType>

      public init(share: Set<DataType> = [], read: Set<DataType> = []) {
        self.share = share
        self.read = read
      }

      public init(atoms: Set<Atom>) {
        let names = Set(atoms.filter { $0.capability == Health.definition.name }.map(\.name))
        share = Set(DataType.allCases.filter { names.contains(Access.share.atomName($0)) })
        read = Set(DataType.allCases.filter { names.contains(Access.read.atomName($0)) })
      }

      public var atoms: Set<Atom> {
        let names = share.map { Access.share.atomName($0) } + read.map { Access.read.atomName($0) }
        return Set(names.map { Atom(Health.definition.name, $0) })
      }
    }

    enum Access: String, CaseIterable {
      case share, read

      func atomName(_ type: DataType) -> String { "\(rawValue)=\(type.rawValue)" }

      func part(_ type: DataType) -> CapabilityPart {
        let action = self == .share ? "add to the \(type.words) you keep" : "read your \(type.words)"
        return CapabilityPart(atomName(type), title: "\(rawValue) \(type.words)", action: action)
      }
    }

    /// A status with one state for each combination of a data type and a kind of access (share or read).
    public struct Status: AuthorizationStatus {
      public var share: [DataType: AtomState] = [:]
      public var read: [DataType: AtomState] = [:]

      /// Creates a status. Types without a state are undecided.
      public init(share: [DataType: AtomState] = [:], read: [DataType: AtomState] = [:]) {
        self.share = share
        self.read = read
      }

      /// Whether every requested type is allowed. A requirement that is only partly allowed is not met. An
      /// empty requirement is always met.
      public func meets(_ requirement: Requirement) -> Bool {
        requirement.share.allSatisfy { share[$0] == .allowed }
          && requirement.read.allSatisfy { read[$0] == .allowed }
      }

      public var summary: StatusSummary { StatusSummary(Array(share.values) + Array(read.values)) }

      public var description: String {
        let types = DataType.allCases
        return describe(
          types.map { ("share \($0.rawValue)", share[$0, default: .undecided]) }
            + types.map { ("read \($0.rawValue)", read[$0, default: .undecided]) })
      }
    }

    public static let definition = CapabilityDefinition(
      name: "health", title: "Health", summary: "The measurements that you keep about your body.",
      parts: Access.allCases.flatMap { access in DataType.allCases.map { access.part($0) } },
      defaultParts: [])

    public let requirement: Requirement

    public init(_ requirement: Requirement) { self.requirement = requirement }

    /// Creates the capability to add measurements of the types in `share` and to read those of the types in `read`.
    public init(share: Set<DataType> = [], read: Set<DataType> = []) {
      self.init(Requirement(share: share, read: read))
    }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let remedy = "set folder under [health] in \(environment.shortened(environment.configFile))"
      guard let folder = environment.healthFolder else {
        return .missing("no health folder is set", remedy: remedy)
      }
      let shown = environment.shortened(folder)
      guard FileSystem().isFolder(folder) else {
        return .missing("the health folder \(shown) does not exist", remedy: "make it, or \(remedy)")
      }
      guard !FileSystem().isUnreadableFolder(folder) else {
        return .undetermined(
          "the health folder \(shown) cannot be read", remedy: "give your user the right to")
      }
      return .available(found: "data in \(shown)")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] {
      environment.healthFolder.map { [$0] } ?? []
    }

    public func status(from facts: CapabilityFacts) -> Status {
      func states(_ access: Access) -> [DataType: AtomState] {
        Dictionary(
          uniqueKeysWithValues: DataType.allCases.map { ($0, facts.decided.state(of: access.atomName($0))) })
      }
      return Status(share: states(.share), read: states(.read))
    }
  }
}
