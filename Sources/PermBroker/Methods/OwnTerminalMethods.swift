import PermModel

// The methods for a program that asks the person itself, on its own terminal, while no dashboard is open.

extension Methods {
  /// Notifies the broker that the program begins or ceases to ask about its request on its own terminal.
  enum AskHere: BrokerMethod {
    static let socket = BrokerSocket.ask
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var asks: Bool
    }

    typealias Reply = NoFields
  }

  /// Passes on the person's answer from that terminal. It applies to this request only, and no decision is kept.
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
