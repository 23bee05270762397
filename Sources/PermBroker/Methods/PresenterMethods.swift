import PermModel

// The methods through which a dashboard in another process shows alerts.

extension Methods {
  /// Attaches the caller as a presenter. The first reply confirms the attachment. Each later reply shows or
  /// withdraws an alert.
  enum Attach: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      /// The dashboard's own id, which is recorded with the changes made in it.
      var dashboard: String
    }

    struct Reply: Codable, Hashable, Sendable {
      var show: Wire.Alert?
      var withdraw: String?
    }
  }

  /// Reports that a key was pressed at an attached dashboard.
  enum Look: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable { var dashboard: String }
    typealias Reply = NoFields
  }

  /// Reports whether an attached dashboard holds alerts, so that none comes up by itself.
  enum Hold: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var dashboard: String
      var holds: Bool
    }

    typealias Reply = NoFields
  }

  /// Reports the person's response to an alert that was sent to the calling dashboard.
  enum Respond: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var dashboard: String
      var alert: String
      var response: Response
      var answer: Wire.Response?
      var digest: String?
      /// The origin of the answer; if omitted, the dashboard itself.
      var origin: String?
    }

    enum Response: String, Codable, Sendable, CaseIterable {
      case answered, confirmed, refused, acknowledged, aside, dismissed
      case declined
      /// The person's wish to return to an alert that had been set aside.
      case reopened
    }

    typealias Reply = NoFields
  }
}
