import PermModel

// The methods that programs call. None of them can change a decision or reveal anything about another program.

extension Methods {
  /// Asks for permission, and waits for the answer.
  enum Request: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var id: String?
      /// A reference such as `calendar:reminders`, without values. If there are ``parts`` or ``values``, only the name of
      /// the capability.
      var capability: String
      /// The parts that are asked for as a whole, beside those in ``values``.
      var parts: [String]?
      /// The values that are asked for, with their parts.
      var values: [Wire.Value]?
      var label: String?
      var reason: String?
      var details: Wire.Details?
      var lifetime: Wire.LifetimeChoice?
      /// The maximum time that the client waits. If omitted, the client waits for as long as it is connected.
      var milliseconds: Int64?
      /// Whether decisions about the program hold only in the folder in which it began, as those about an agent do.
      var inFolder: Bool?
      /// A name for requests that belong together, for example those of an agent's session. The program can withdraw
      /// all of them by this name, or only those with the same ``mark``, a digest of what they are about.
      var group: String?
      var mark: String?
      /// Whether the request waits if the program asks too often, instead of being refused.
      var patient: Bool?
      /// Whether to ask only if somebody is there to answer.
      var attended: Bool?
      /// The processes at the other ends of the connections that the calling process has inherited from an ssh agent, one
      /// of which uses a key. They count only if that process is the command `permtui` and the kernel confirms them.
      var keyUsers: [Int32]?
      /// Whether no kept decision can allow the request, and an allow is for this request only. Without a folder, so is
      /// a denial.
      var onceOnly: Bool?
      /// Whether the program does not say in which folder it runs a line, or to which one a relative path belongs.
      var folderUnknown: Bool?
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
      /// The allowed parts that are meant for some values only; ``deniedValues`` lists the denied ones.
      var allowedValues: [Wire.Value]?
      var deniedValues: [Wire.Value]?
      /// Whether the answer is kept for later requests; omitted if there was no answer.
      var kept: Bool?
      var presenters: Int?
    }

    enum State: String, Codable, Sendable, CaseIterable {
      case waiting, allowed, denied, dismissed
      case timedOut = "timed_out"
      case withdrawn, unavailable
    }
  }

  /// Tells whether a request of the calling program would be allowed or denied, or whether a person would be asked. The
  /// reply does not say which decision determines that. If the caller sets `more`, another reply follows after every
  /// change.
  enum Status: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      /// A reference such as `calendar:reminders`, without values. If there are ``parts`` or ``values``, only the name of
      /// the capability.
      var capability: String
      var parts: [String]?
      var values: [Wire.Value]?
      var label: String?
      var inFolder: Bool?
    }

    struct Reply: Codable, Hashable, Sendable {
      /// The answer that a request for all of this would get.
      var state: State
      var available: Bool
      /// The reason why the capability is not available on this machine.
      var explanation: String?
      /// The allowed parts, among those that were asked about and all parts of the capability; ``denied`` lists the
      /// denied ones. A person would be asked about the others.
      var allowed: [String] = []
      var denied: [String] = []
      var allowedValues: [Wire.Value]?
      var deniedValues: [Wire.Value]?
    }

    enum State: String, Codable, Sendable, CaseIterable { case allowed, denied, ask }
  }
}

extension Methods.Request.Parameters {
  /// Creates the parameters for a request, with the time that remains until the request is given up.
  init(_ request: Request, at moment: Timestamp) {
    self.init(
      id: request.id.text, capability: request.capability, parts: request.atoms.wholeParts,
      values: request.atoms.wireValues,
      label: request.subject.label, reason: request.reason, details: request.details.map(Wire.Details.init),
      lifetime: request.suggestedLifetime.map(Wire.LifetimeChoice.init),
      milliseconds: request.givesUpAt.map { max(0, ($0 - moment).wholeMilliseconds) },
      inFolder: request.subject.folder == nil ? nil : true)
  }
}

extension Methods.Status.Parameters {
  /// - Parameter atoms: The atoms to look up if they have values; otherwise `nil`.
  init(_ subject: Subject, _ capability: String, asking atoms: Set<Atom>?) {
    let values = atoms?.wireValues
    self.init(
      capability: capability, parts: values == nil ? nil : atoms?.wholeParts, values: values,
      label: subject.label,
      inFolder: subject.folder == nil ? nil : true)
  }
}

// MARK: Withdrawing

extension Methods {
  /// Ends waiting requests that were answered in the program itself: the one with an id, or those of a group. With a
  /// mark, the journal also says that what was asked for is done.
  enum Withdraw: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var id: String?
      var group: String?
      /// The mark of the requests to withdraw; if omitted, all requests of the group are withdrawn.
      var mark: String?
      /// Whether the use that the mark is about has failed.
      var failed: Bool?
    }

    /// The number of requests that were withdrawn.
    struct Reply: Codable, Hashable, Sendable { var count: Int }
  }

  /// Records in the journal that a question was not asked: that of an agent, or that of an askpass program.
  enum Unasked: AskMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var why: UnaskedReason
      var label: String?
    }

    typealias Reply = NoFields
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

    struct Reply: Codable, Hashable, Sendable {
      /// The definition of the requested capability if the user has defined it, so that the question is in the broker's
      /// words and with its severity, whatever the program's own configuration says.
      var capability: Wire.OwnCapability?
    }
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
