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
      /// Whether the program uses a folder as it is outside.
      var native: Bool?
    }

    struct Reply: Codable, Hashable, Sendable {
      var subject: Wire.Program?
      /// The id of a question that has ended.
      var ended: String?
      var state: Methods.Request.State?
      var explanation: String?
      /// The values that an answer allowed; omitted if there was no answer, or if it names no values.
      var allowed: [Wire.Value]?
      /// Whether the warden is to end the run.
      var end: Bool?
    }
  }

  /// Asks about uses of files or of a host, in a run that the caller supervises.
  enum Ask: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var run: String
      var id: String
      var capability: String
      /// Several ones are asked about as one group.
      var values: [Wire.Value]
      var caution: Caution?
      var name: String
      var pid: Int32
      var started: Int64
      /// Whether the run has reached a socket of the host.
      var left: Bool?
    }

    /// The reason why only a decision about exactly this value counts, and an allow until the run ends at most.
    enum Caution: String, Codable, Sendable, CaseIterable {
      /// The path is that of a socket of the host.
      case socket
      /// A name that the program has asked for leads to this address of this machine or its network.
      case behindName
    }

    struct Reply: Codable, Hashable, Sendable { var presenters: Int }
  }

  /// Says which process of a run a connection to `ask` belongs to, which the warden has made for it.
  enum Enter: LookingMethod {
    struct Parameters: Codable, Hashable, Sendable {
      var run: String
      /// The inode number of the socket that connects.
      var socket: Int64
      var name: String
      var pid: Int32
      var started: Int64
      /// The folder in which the process works.
      var folder: String
      /// Whether the run has reached a socket of the host.
      var left: Bool?
    }

    typealias Reply = NoFields
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
