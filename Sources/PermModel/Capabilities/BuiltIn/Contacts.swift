extension Capability {
  /// The people in this user's address books.
  public struct Contacts: PartedCapability {
    public typealias Status = PartStatus<Contacts>
    public enum Part: String, Sendable, CaseIterable { case read, write }

    public static let definition = CapabilityDefinition(
      name: "contacts", title: "Contacts", summary: "The people in your address books.",
      parts: [
        CapabilityPart(
          "read", action: "read your contacts",
          explanation: "All names, addresses, numbers and notes in your address books."),
        CapabilityPart(
          "write", action: "change your contacts", explanation: "Contacts may be added, changed and deleted."),
      ])

    public let requirement: Requirement

    public init(_ requirement: Requirement = .read) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      PersonalCollections.addressBooks(environment).availability()
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] {
      PersonalCollections.addressBooks(environment).roots
    }
  }
}

extension PartRequirement<Capability.Contacts> {
  public static var read: Self { Self([.read]) }
  public static var write: Self { Self([.write]) }
}
