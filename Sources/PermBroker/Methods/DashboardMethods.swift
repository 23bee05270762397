import PermModel

// The methods of a dashboard in another process.

extension Methods {
  /// Attaches the caller as a dashboard. The first reply confirms the attachment. Each later reply tells what has changed
  /// of the dashboard's picture.
  enum Attach: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      /// The dashboard's own id, which is recorded with the changes made in it.
      var dashboard: String
      /// Whether the person picks requests from a list, so that no alert is shown.
      var picks: Bool?
      /// The greatest number of waiting requests that the replies list; `nil` for none.
      var waiting: Int?
    }

    struct Reply: Codable, Hashable, Sendable {
      /// The alerts that came up, also those that came up again or changed.
      var show: [Wire.Shown]?
      /// The alerts that were set aside at this dashboard.
      var aside: [String]?
      /// The alerts that are no longer at this dashboard.
      var withdraw: [String]?
      /// The changes to the list of waiting requests; `nil` if there are none.
      var waiting: Wire.WaitingChange?
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

  /// Reports the person's response to an alert that was sent to the calling dashboard. The reply comes once the response
  /// is stored.
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
      /// The person's wish to return to an alert that had been set aside.
      case reopened
    }

    typealias Reply = NoFields
  }
}
