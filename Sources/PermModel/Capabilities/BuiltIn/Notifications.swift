extension Capability {
  /// Messages on this user's desktop.
  public struct Notifications: CapabilityType {
    /// How a message may make itself known.
    public enum Option: String, Sendable, CaseIterable {
      case alert
      /// Only into the list of messages, without a pop-up or a sound.
      case provisional
      case badge, sound, remote
    }

    public struct Requirement: CapabilityRequirement {
      public var options: Set<Option>

      public static let alert = Requirement([.alert])
      public static let remote = Requirement([.remote])

      public init(_ options: Set<Option>) { self.options = options }
      public init(atoms: Set<Atom>) {
        self.init(Set(atoms.parts(of: Option.self, in: Notifications.definition)))
      }
      public var atoms: Set<Atom> { Notifications.definition.atoms(options) }
    }

    /// How loudly messages may appear.
    public enum Alerting: String, Sendable, CaseIterable {
      case undecided, restricted, denied, provisional, allowed
    }

    public struct Status: AuthorizationStatus {
      public var alert: Alerting
      public var badge: AtomState
      public var sound: AtomState
      public var remote: AtomState

      public init(
        _ alert: Alerting = .undecided, badge: AtomState = .undecided, sound: AtomState = .undecided,
        remote: AtomState = .undecided
      ) {
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.remote = remote
      }

      public func meets(_ requirement: Requirement) -> Bool {
        requirement.options.allSatisfy { option in
          switch option {
          case .alert: alert == .allowed
          case .provisional: alert == .allowed || alert == .provisional
          case .badge: badge == .allowed
          case .sound: sound == .allowed
          case .remote: remote == .allowed
          }
        }
      }

      public var summary: StatusSummary {
        let others = [badge, sound, remote]
        switch alert {
        case .undecided: return StatusSummary(others)
        case .restricted: return StatusSummary(others + [.restricted])
        case .denied: return StatusSummary(others + [.denied])
        case .provisional: return .mixed
        case .allowed: return StatusSummary(others + [.allowed])
        }
      }

      public var description: String {
        let first = alert == .undecided ? [] : ["alert \(alert.rawValue)"]
        let others = [("badge", badge), ("sound", sound), ("remote", remote)]
          .filter { $0.1 != .undecided }.map { "\($0.0) \($0.1)" }
        let words = first + others
        return words.isEmpty ? AtomState.undecided.description : words.joined(separator: ", ")
      }
    }

    public static let definition = CapabilityDefinition(
      name: "notifications", title: "Notifications", summary: "Messages on your desktop.", severity: .mild,
      parts: [
        CapabilityPart(
          "alert", action: "show messages on your desktop",
          explanation: "Messages pop up over other windows.",
          implies: ["provisional"]),
        CapabilityPart(
          "provisional", title: "quietly", action: "put messages into your list of notifications",
          explanation: "Nothing pops up and nothing sounds."),
        CapabilityPart("badge", action: "mark its icon"),
        CapabilityPart("sound", action: "play a sound with its messages"),
        CapabilityPart(
          "remote", action: "pass on messages from other machines",
          explanation: "What a server sends shows on your desktop."),
      ])

    public var definition: CapabilityDefinition { Self.definition }
    public let requirement: Requirement

    public init(_ requirement: Requirement = .alert) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let services = BusServices(folders: environment.sessionServices)
      let names = ["org.freedesktop.Notifications", "org.gnome.Shell.Notifications"]
      guard let provider = names.lazy.compactMap(services.provider(of:)).first else {
        return .missing(
          "no notification service is installed", remedy: "install one, for example: apt install dunst")
      }
      return .available(found: provider)
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { environment.sessionServices }

    public func status(from facts: CapabilityFacts) -> Status {
      let decided = facts.decided
      return Status(
        alerting(from: decided), badge: decided.state(of: "badge"), sound: decided.state(of: "sound"),
        remote: decided.state(of: "remote"))
    }

    private func alerting(from decided: DecidedAtoms) -> Alerting {
      switch (decided.state(of: "alert"), decided.state(of: "provisional")) {
      case (.allowed, _): .allowed
      case (_, .allowed): .provisional
      case (.restricted, _): .restricted
      case (.denied, _), (.undecided, .denied): .denied
      case (.undecided, _): .undecided
      }
    }
  }
}
