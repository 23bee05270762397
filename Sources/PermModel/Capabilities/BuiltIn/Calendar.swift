extension Capability {
  /// The events and reminders in this user's calendars.
  public struct Calendar: PartedCapability {
    public typealias Status = PartStatus<Calendar>
    public enum Part: String, Sendable, CaseIterable { case events, reminders }

    public static let definition = CapabilityDefinition(
      name: "calendar", title: "Calendar", summary: "Your events and reminders.",
      parts: [
        CapabilityPart(
          "events", action: "read and change the events in your calendars",
          explanation: "All events, with places, notes and guests."),
        CapabilityPart(
          "reminders", action: "read and change your reminders",
          explanation: "All reminders, with their notes and dates."),
      ])

    public let requirement: Requirement

    public init(_ requirement: Requirement = .events) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      PersonalCollections.calendars(environment).availability()
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] {
      PersonalCollections.calendars(environment).roots
    }
  }
}

extension PartRequirement<Capability.Calendar> {
  public static var events: Self { Self([.events]) }
  public static var reminders: Self { Self([.reminders]) }
}
