import PermModel

// The methods through which a dashboard in another process shows alerts.

extension Methods {
  /// Attaches the caller as a presenter. The first reply confirms this; each further one shows or withdraws an alert.
  enum Attach: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      /// The dashboard's own id, which marks the changes it makes.
      var dashboard: String
    }

    struct Reply: Codable, Hashable, Sendable {
      var show: Wire.Alert?
      var withdraw: String?
    }
  }

  /// Reports the outcome of an alert that was sent to this dashboard.
  enum Respond: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var dashboard: String
      var alert: String
      var response: Response
      var answer: Wire.Response?
      var digest: String?
      /// The origin of the answer; the dashboard itself if omitted.
      var origin: String?
    }

    enum Response: String, Codable, Sendable, CaseIterable {
      case answered, confirmed, refused, acknowledged, aside, dismissed
      case declined
      /// The person wants to see an alert again that was set aside.
      case reopened
    }

    typealias Reply = NoFields
  }
}
