import PermModel

// The methods for people, and for the programs that act on behalf of people.

extension Methods {
  /// Returns the waiting requests, the longest waiting first.
  enum Pending: LookingMethod {
    /// - Parameter limit: The greatest number of requests in the reply; `nil` for all.
    struct Parameters: Codable, Hashable, Sendable { var limit: Int? }

    struct Reply: Codable, Hashable, Sendable {
      var requests: [Wire.Waiting]
      /// The number of all waiting requests; `nil` from earlier brokers.
      var total: Int?
    }
  }

  /// Answers a waiting request, or dismisses it if no answer is given.
  enum Answer: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var answer: Wire.Response?
      var digest: String?
      var origin: String?
    }

    typealias Reply = NoFields
  }

  /// Asks on behalf of another program, for which the calling program vouches. Replies as `Request` does.
  enum RequestFor: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      /// An app such as `app:org.example.Cam`, or a site such as `https://example.org`.
      var program: String
      var id: String?
      var capability: String
      var parts: [String]?
      var values: [Wire.Value]?
      var reason: String?
      var lifetime: Wire.LifetimeChoice?
      var milliseconds: Int64?
      var patient: Bool?
    }

    typealias Reply = Methods.Request.Reply
  }

  struct RulingParameters: Codable, Hashable, Sendable {
    var program: String
    /// The absolute path of the folder to which the decision about an agent is limited.
    var folder: String?
    var capability: String?
    var parts: [String]?
    var values: [Wire.Value]?
    /// Further requirements, which are decided in the same change.
    var capabilities: [Wire.Requirement]?
    var lifetime: Wire.LifetimeChoice?
    var note: String?
    var origin: String?
  }

  struct RulingReply: Codable, Hashable, Sendable {
    var decisions: [Wire.Decision]
    /// The number of allows that a denial has taken back. Earlier brokers do not tell it.
    var takenBack: Int?
  }

  /// Checks that the calling process is allowed to import decisions, which it then writes to the store itself.
  enum Import: ChangingMethod {
    typealias Parameters = NoFields
    typealias Reply = NoFields
  }

  enum Allow: ChangingMethod {
    typealias Parameters = RulingParameters
    typealias Reply = RulingReply
  }

  enum Deny: ChangingMethod {
    typealias Parameters = RulingParameters
    typealias Reply = RulingReply
  }

  /// Makes several decisions, which can be about different programs, as one change.
  enum Decide: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var rulings: [Wire.Ruling]
      var origin: String?
    }

    typealias Reply = RulingReply
  }

  struct DecisionsReply: Codable, Hashable, Sendable { var decisions: [Wire.Decision] }

  /// Makes a program's capabilities undecided again.
  enum Forget: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var program: String
      /// The path of an agent's folder, which need not exist any longer.
      var folder: String?
      var capability: String?
      var parts: [String]?
      var values: [Wire.Value]?
      /// Further requirements, which are forgotten in the same change.
      var capabilities: [Wire.Requirement]?
      var origin: String?
    }

    typealias Reply = DecisionsReply
  }

  struct HistoryParameters: Codable, Hashable, Sendable {
    var change: Int64?
    /// Whether to report what would be done without actually doing it.
    var preview: Bool?
    var origin: String?
  }

  struct HistoryReply: Codable, Hashable, Sendable {
    var change: Int64
    var entries: [Wire.Entry]
    /// The conflicts that prevent the step. If there are any, nothing was changed.
    var conflicts: [String]
  }

  /// Denies all new requests of a program without an alert, for an hour if no lifetime is given.
  enum Mute: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var program: String
      var folder: String?
      var lifetime: Wire.LifetimeChoice?
      var origin: String?
    }

    typealias Reply = DecisionsReply
  }

  /// Lets a muted program ask again.
  enum Unmute: ChangingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var program: String
      var folder: String?
      var origin: String?
    }

    typealias Reply = DecisionsReply
  }

  /// Starts a panic, which every process may do, or lifts it.
  enum Panic: BrokerMethod {
    static func changes(_ parameters: Parameters) -> Bool { parameters.lift ?? false }

    struct Parameters: Codable, Hashable, Sendable {
      var lift: Bool?
      /// Whether to end all programs behind walls, too.
      var end: Bool?
      var origin: String?
    }

    struct Reply: Codable, Hashable, Sendable {
      var changed: Bool
      /// The number of runs that are ended.
      var ended: Int?
    }
  }

  /// Undoes the given change. If none is given, undoes the newest change that can be undone.
  enum Undo: BrokerMethod {
    typealias Parameters = HistoryParameters
    typealias Reply = HistoryReply

    static func changes(_ parameters: Parameters) -> Bool { !(parameters.preview ?? false) }
  }

  /// Makes an undone change again. If none is given, the one that was undone last.
  enum Redo: BrokerMethod {
    typealias Parameters = HistoryParameters
    typealias Reply = HistoryReply

    static func changes(_ parameters: Parameters) -> Bool { !(parameters.preview ?? false) }
  }

  /// Returns a page of the journal, newest first.
  enum Log: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var label: String?
      var path: String?
      var capability: String?
      var kinds: [String]?
      var request: String?
      var since: Int64?
      var until: Int64?
      var before: Int64?
      var after: Int64?
      var limit: Int?
    }

    struct Reply: Codable, Hashable, Sendable { var entries: [Wire.Entry] }
  }

  enum State: LookingMethod {
    typealias Parameters = NoFields
    struct Reply: Codable, Hashable, Sendable {
      var pid: Int32
      var presenters: Int
      var waiting: Int
    }
  }

  /// Returns the capabilities that the user has defined, in the form in which the broker uses them now.
  enum OwnCapabilities: LookingMethod {
    typealias Parameters = NoFields
    struct Reply: Codable, Hashable, Sendable { var capabilities: [Wire.OwnCapability] }
  }

  /// Reports every change from now on. If a journal entry is given, also reports all changes since that entry.
  enum Watch: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable { var after: Int64? }
    struct Reply: Codable, Hashable, Sendable {
      var entries: [Wire.Entry]
      var position: Int64
    }
  }
}

extension Wire {
  /// One of several decisions that are made together.
  struct Ruling: Codable, Hashable, Sendable {
    var verdict: Verdict
    var program: String
    var folder: String?
    var capabilities: [Requirement]
    var lifetime: LifetimeChoice?
    var note: String?
  }
}

extension Methods.RulingParameters: NamingRequirements {}
extension Methods.Forget.Parameters: NamingRequirements {}

extension Methods.RequestFor.Parameters {
  /// The parameters of the request that is made.
  var request: Methods.Request.Parameters {
    Methods.Request.Parameters(
      id: id, capability: capability, parts: parts, values: values, reason: reason, lifetime: lifetime,
      milliseconds: milliseconds, patient: patient)
  }
}
