import PermModel

// What a program calls that asks its person itself, on its own terminal, while no dashboard is open.

extension Methods {
  /// Tells that the program asks about its request on its own terminal from now on, or no longer does.
  enum AskHere: BrokerMethod {
    static let socket = BrokerSocket.ask
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var asks: Bool
    }

    typealias Reply = NoFields
  }

  /// Answers the program's request as its person did there: for this request only, and keeping nothing.
  enum AnswerHere: BrokerMethod {
    static let socket = BrokerSocket.ask
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var verdict: Verdict
    }

    typealias Reply = NoFields
  }
}
