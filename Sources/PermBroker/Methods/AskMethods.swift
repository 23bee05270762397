import PermModel

// What programs call. Nothing here can change a decision or see another program.

extension Methods {
  /// Asks for something, and waits for the answer.
  enum Request: BrokerMethod {
    static let socket = BrokerSocket.ask
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {
      /// Chosen by the client and sent again when the broker changes; random.
      var id: String?
      /// For example `calendar:reminders`.
      var capability: String
      var label: String?
      var reason: String?
      /// How long the program would like an answer to hold.
      var lifetime: Wire.Lifetime?
      /// How long the client waits; without, as long as it is connected.
      var milliseconds: Int64?
    }

    struct Reply: Codable, Hashable, Sendable {
      var id: String
      var state: State
      /// Why, in words, where there is more to say than the state does.
      var explanation: String?
      /// Parts that the answer allowed, and denied, where there was one.
      var allowed: [String]?
      var denied: [String]?
      /// While it waits: how many dashboards could show it. Such a reply comes again whenever that changes.
      var presenters: Int?
    }

    enum State: String, Codable, Sendable, CaseIterable {
      case waiting, allowed, denied, dismissed
      case timedOut = "timed_out"
      case withdrawn, unavailable
    }
  }

  /// Tells what holds for the calling program, and asks nobody. With `more` it goes on to tell every change.
  enum Status: BrokerMethod {
    static let socket = BrokerSocket.ask
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {
      var capability: String
      var label: String?
    }

    struct Reply: Codable, Hashable, Sendable {
      /// Whether all that was named is allowed.
      var met: Bool
      var summary: String
      var status: String
      var available: Bool
      /// Why it is not available.
      var explanation: String?
      /// What is decided for the program.
      var decisions: [Wire.Decision] = []
      /// The decision that mutes it.
      var muted: Wire.Decision?
      /// Since when all that is allowed is suspended, for all programs.
      var suspended: Int64?
    }
  }
}

extension Methods.Request.Parameters {
  /// A request, with the time that is left for it.
  init(_ request: Request, at moment: Timestamp) {
    self.init(
      id: request.id.text,
      capability: "\(CapabilityReference(capability: request.capability, atoms: request.atoms))",
      label: request.subject.label, reason: request.reason,
      lifetime: request.suggestedLifetime.map(Wire.Lifetime.init),
      milliseconds: request.givesUpAt.map { max(0, ($0 - moment).wholeMilliseconds) })
  }
}
