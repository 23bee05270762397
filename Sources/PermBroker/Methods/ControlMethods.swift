import PermModel

// What persons call, and what acts for them.

extension Methods {
  /// All requests that wait.
  enum Pending: BrokerMethod {
    static func changes(_: Parameters) -> Bool { false }

    typealias Parameters = NoFields
    struct Reply: Codable, Hashable, Sendable { var requests: [Wire.Waiting] }
  }

  /// Answers a request that waits, or dismisses it where no answer is given.
  enum Answer: BrokerMethod {
    static func changes(_: Parameters) -> Bool { true }

    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var answer: Wire.Response?
      /// That of the request's alert as it was read; no answer counts without it.
      var digest: String?
      var origin: String?
    }

    typealias Reply = NoFields
  }

  struct RulingParameters: Codable, Hashable, Sendable {
    /// A label or a path.
    var program: String
    var capability: String
    var lifetime: Wire.Lifetime?
    var note: String?
    var origin: String?
  }

  struct DecisionsReply: Codable, Hashable, Sendable { var decisions: [Wire.Decision] }

  enum Allow: BrokerMethod {
    static func changes(_: Parameters) -> Bool { true }
    typealias Parameters = RulingParameters
    typealias Reply = DecisionsReply
  }

  enum Deny: BrokerMethod {
    static func changes(_: Parameters) -> Bool { true }
    typealias Parameters = RulingParameters
    typealias Reply = DecisionsReply
  }

  /// Goes back to undecided.
  enum Forget: BrokerMethod {
    static func changes(_: Parameters) -> Bool { true }

    struct Parameters: Codable, Hashable, Sendable {
      var program: String
      /// A capability, or some of its parts.
      var capability: String?
      var origin: String?
    }

    typealias Reply = DecisionsReply
  }

  /// Takes back the newest change that can be undone, or the one given.
  enum Undo: BrokerMethod {
    static func changes(_ parameters: Parameters) -> Bool { !(parameters.preview ?? false) }

    struct Parameters: Codable, Hashable, Sendable {
      var change: Int64?
      /// Only tells what would be done.
      var preview: Bool?
      var origin: String?
    }

    struct Reply: Codable, Hashable, Sendable {
      var change: Int64
      var entries: [Wire.Entry]
      /// What stands in the way; then nothing was done.
      var conflicts: [String]
    }
  }

  /// A page of the journal, the newest first.
  enum Log: BrokerMethod {
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {
      var label: String?
      var path: String?
      var capability: String?
      /// Only entries of these kinds.
      var kinds: [String]?
      /// Only what became of this request.
      var request: String?
      var since: Int64?
      var until: Int64?
      /// Only entries before this one.
      var before: Int64?
      /// Only entries after this one, the oldest first.
      var after: Int64?
      var limit: Int?
    }

    struct Reply: Codable, Hashable, Sendable { var entries: [Wire.Entry] }
  }

  /// Tells how the broker is doing.
  enum State: BrokerMethod {
    static func changes(_: Parameters) -> Bool { false }

    typealias Parameters = NoFields
    struct Reply: Codable, Hashable, Sendable {
      var pid: Int32
      /// Dashboards that can show alerts.
      var presenters: Int
      /// Requests without an answer.
      var waiting: Int
    }
  }

  /// Tells every change from now on, or from an entry of the journal on.
  enum Watch: BrokerMethod {
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable { var after: Int64? }
    struct Reply: Codable, Hashable, Sendable {
      var entries: [Wire.Entry]
      var position: Int64
    }
  }
}
