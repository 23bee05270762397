extension Capability {
  /// The passes on this machine: tickets, cards and coupons. No permission is needed for them. The status
  /// only says whether there is a folder of passes.
  public struct Passbook: BuiltInCapability {
    public typealias Requirement = NoRequirement

    public enum Status: String, AuthorizationStatus {
      case enabled
      case notEnabled = "not enabled"

      /// Always `true`, because the requirement is empty.
      public func meets(_ requirement: Requirement) -> Bool { true }
      public var summary: StatusSummary { .allowed }
      public var description: String { rawValue }
    }

    public static let definition = CapabilityDefinition(
      name: "passbook", title: "Passbook", summary: "Whether passes are kept on this machine.",
      severity: .mild, parts: [])

    public let requirement = Requirement()

    public init(_ requirement: Requirement = Requirement()) {}

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let shown = environment.shortened(environment.passFolder)
      guard FileSystem().isFolder(environment.passFolder) else {
        return .missing("no folder of passes", remedy: "make \(shown) and put .pkpass files into it")
      }
      return .available(found: "passes in \(shown)")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { [environment.passFolder] }

    public func status(from facts: CapabilityFacts) -> Status {
      facts.availability.isAvailable ? .enabled : .notEnabled
    }
  }
}
