// The methods through which the warden of a run asks for the programs behind its walls.

extension Methods {
  /// Announces a run, and tells how its questions end. The run lasts as long as the call.
  enum Supervise: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var run: String
      /// The first process of the run, which descends from the caller.
      var pid: Int32
      var started: Int64
      /// The absolute path of the program's file, as the person named it.
      var program: String
      var arguments: [String]
      var folder: String
      var label: String?
      var terminal: String?
    }

    struct Reply: Codable, Hashable, Sendable {
      var subject: Wire.Program?
      /// The id of a question that has ended.
      var ended: String?
      var state: Methods.Request.State?
      var explanation: String?
      /// Whether the warden is to end the run.
      var end: Bool?
    }
  }

  /// Asks about a use of a file or a host, in a run that the caller supervises.
  enum Ask: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var run: String
      var id: String
      var capability: String
      var part: String
      var value: ScopeFields
      var name: String
      var pid: Int32
      var started: Int64
    }

    struct Reply: Codable, Hashable, Sendable { var presenters: Int }
  }

  /// Withdraws a question.
  enum Unask: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var run: String
      var id: String
    }

    typealias Reply = NoFields
  }
}
