import PermModel

// How a dashboard in another process shows alerts.

extension Methods {
  /// Becomes a presenter. The first reply says so; each further one gives an alert to show, or takes one away.
  enum Attach: BrokerMethod {
    static func changes(_: Parameters) -> Bool { true }

    struct Parameters: Codable, Hashable, Sendable {
      /// The dashboard's own id, which marks what it changes.
      var dashboard: String
    }

    struct Reply: Codable, Hashable, Sendable {
      var show: Wire.Alert?
      /// The alert of this id answers nothing any more.
      var withdraw: String?
    }
  }

  /// Tells what became of an alert that this dashboard was given.
  enum Respond: BrokerMethod {
    static func changes(_: Parameters) -> Bool { true }

    struct Parameters: Codable, Hashable, Sendable {
      var dashboard: String
      var alert: String
      var response: Response
      var answer: Wire.Response?
      /// That of the alert as it was drawn; no answer and no confirmation counts without it.
      var digest: String?
      /// By what it was answered; the dashboard itself unless given.
      var origin: String?
    }

    enum Response: String, Codable, Sendable, CaseIterable {
      case answered, confirmed, refused, acknowledged, aside, dismissed
      /// It shows another alert, or goes away: somebody else shall show this one.
      case declined
      /// The person wants to see it again that was set aside.
      case reopened
    }

    typealias Reply = NoFields
  }
}
