import PermModel

// The methods that programs call. None of them can change a decision or reveal anything about another program.

extension Methods {
  /// Asks for permission, and waits for the answer.
  enum Request: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var id: String?
      var capability: String
      var label: String?
      var reason: String?
      var lifetime: Wire.Lifetime?
      /// The maximum time that the client waits. If omitted, the client waits for as long as it is connected.
      var milliseconds: Int64?
    }

    struct Reply: Codable, Hashable, Sendable {
      var id: String
      var state: State
      /// The reason for the state, in words; omitted if the state alone says enough.
      var explanation: String?
      /// The parts that the answer allowed; ``denied`` lists those that it denied. Both are omitted if there was no
      /// answer, or if the answer names no parts.
      var allowed: [String]?
      var denied: [String]?
      var presenters: Int?
    }

    enum State: String, Codable, Sendable, CaseIterable {
      case waiting, allowed, denied, dismissed
      case timedOut = "timed_out"
      case withdrawn, unavailable
    }
  }

  /// Returns the decisions that apply to the calling program, without asking anybody. If the caller sets
  /// `more`, another reply follows after every change.
  enum Status: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var capability: String
      var label: String?
    }

    struct Reply: Codable, Hashable, Sendable {
      /// Whether everything that the call asked about is allowed.
      var met: Bool
      var summary: String
      var status: String
      var available: Bool
      var explanation: String?
      var decisions: [Wire.Decision] = []
      var muted: Wire.Decision?
      var suspended: Int64?
    }
  }
}

extension Methods.Request.Parameters {
  /// Creates the parameters for a request, with the time that remains until the request is given up.
  init(_ request: Request, at moment: Timestamp) {
    self.init(
      id: request.id.text,
      capability: "\(CapabilityReference(capability: request.capability, atoms: request.atoms))",
      label: request.subject.label, reason: request.reason,
      lifetime: request.suggestedLifetime.map(Wire.Lifetime.init),
      milliseconds: request.givesUpAt.map { max(0, ($0 - moment).wholeMilliseconds) })
  }
}

// MARK: Asking on the program's own terminal

extension Methods {
  /// Notifies the broker that the program begins or stops asking on its own terminal.
  enum AskHere: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var asks: Bool
    }

    typealias Reply = NoFields
  }

  /// Passes on the answer that the person gave on the program's own terminal. It applies to this request
  /// only, and no decision is kept.
  enum AnswerHere: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var id: String
      var verdict: Verdict
    }

    typealias Reply = NoFields
  }
}
