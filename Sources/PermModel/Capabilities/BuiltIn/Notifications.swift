import Machine

extension Capability {
  /// Messages on this user's desktop.
  public struct Notifications: PartedCapability {
    /// A way in which a message can draw attention.
    public enum Part: String, Sendable, CaseIterable {
      case alert
      /// Messages that appear only in the list of notifications, without a pop-up or a sound.
      case provisional
      case badge, sound, remote
    }

    /// The degree to which messages are allowed to interrupt the user.
    public enum Alerting: String, Sendable, CaseIterable {
      case undecided, restricted, denied, provisional, allowed
    }

    public struct Status: AuthorizationStatus {
      public var alert: Alerting
      private let others: [Part: AtomState]

      /// - Parameters:
      ///   - alert: The state of the part alert.
      ///   - others: The states of the parts badge, sound and remote. A part without a state is undecided.
      public init(_ alert: Alerting = .undecided, _ others: [Part: AtomState] = [:]) {
        self.alert = alert
        self.others = others
      }

      public subscript(part: Part) -> AtomState { others[part, default: .undecided] }

      public func meets(_ requirement: PartRequirement<Notifications>) -> Bool {
        requirement.parts.allSatisfy { part in
          switch part {
          case .alert: alert == .allowed
          case .provisional: alert == .allowed || alert == .provisional
          case .badge, .sound, .remote: self[part] == .allowed
          }
        }
      }

      public var summary: StatusSummary {
        AtomState(rawValue: alert.rawValue).map { StatusSummary([$0] + others.values) } ?? .mixed
      }

      public var description: String {
        describe([("alert", alert.rawValue)] + Self.others.map { ($0.rawValue, self[$0].rawValue) })
      }

      static let others: [Part] = [.badge, .sound, .remote]
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
          explanation: "Messages neither pop up nor make a sound."),
        CapabilityPart("badge", action: "mark its icon"),
        CapabilityPart("sound", action: "play a sound with its messages"),
        CapabilityPart(
          "remote", action: "pass on messages from other machines",
          explanation: "Messages that a server sends show on your desktop."),
      ])

    public let requirement: Requirement

    public init(_ requirement: Requirement = .alert) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let services = BusServices(folders: environment.sessionServices)
      let names = ["org.freedesktop.Notifications", "org.gnome.Shell.Notifications"]
      guard let provider = names.firstResult(of: services.provider(of:)) else {
        return .missing(
          "no notification service is installed", remedy: "install one, for example: apt install dunst")
      }
      return .available(found: provider)
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { environment.sessionServices }

    public func status(from facts: CapabilityFacts) -> Status {
      Status(
        facts.decided.state(of: "alert", orOnly: .provisional),
        Dictionary(uniqueKeysWithValues: Status.others.map { ($0, facts.decided.state(of: $0.rawValue)) }))
    }
  }
}

extension PartRequirement<Capability.Notifications> {
  public static var alert: Self { Self([.alert]) }
  public static var remote: Self { Self([.remote]) }
}
