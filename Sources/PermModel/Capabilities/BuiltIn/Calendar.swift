extension Capability {
  /// The events and reminders in this user's calendars.
  public struct Calendar: CapabilityType {
    /// What of the calendars is meant.
    public enum Entity: String, Sendable, CaseIterable { case events, reminders }

    public struct Requirement: CapabilityRequirement {
      public var entities: Set<Entity>

      public static let events = Requirement([.events])
      public static let reminders = Requirement([.reminders])

      public init(_ entities: Set<Entity>) { self.entities = entities }
      public init(atoms: Set<Atom>) { self.init(Set(atoms.parts(of: Entity.self, in: Calendar.definition))) }
      public var atoms: Set<Atom> { Calendar.definition.atoms(entities) }
    }

    public struct Status: AuthorizationStatus {
      public var events: AtomState
      public var reminders: AtomState

      public init(events: AtomState = .undecided, reminders: AtomState = .undecided) {
        self.events = events
        self.reminders = reminders
      }

      public subscript(entity: Entity) -> AtomState { entity == .events ? events : reminders }

      public func meets(_ requirement: Requirement) -> Bool {
        requirement.entities.allSatisfy { self[$0] == .allowed }
      }

      public var summary: StatusSummary { StatusSummary([events, reminders]) }
      public var description: String { describe([("events", events), ("reminders", reminders)]) }
    }

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

    public var definition: CapabilityDefinition { Self.definition }
    public let requirement: Requirement

    public init(_ requirement: Requirement = .events) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let calendars = CalendarFolders(environment).calendars()
      guard !calendars.isEmpty else {
        return .missing(
          "no calendar is stored on this machine",
          remedy:
            "add one in Evolution, or put .ics files into \(environment.shortened(vdir(in: environment)))")
      }
      return .available(found: calendars.count == 1 ? "1 calendar" : "\(calendars.count) calendars")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] {
      CalendarFolders(environment).roots
    }

    public func status(from facts: CapabilityFacts) -> Status {
      Status(events: facts.decided.state(of: "events"), reminders: facts.decided.state(of: "reminders"))
    }

    private func vdir(in environment: ProbeEnvironment) -> String {
      environment.calendarFolders.first ?? environment.home
    }
  }
}
