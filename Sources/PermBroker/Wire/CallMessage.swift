import FoundationEssentials

/// A Varlink call without its parameters, which are read once the method's types are known.
struct CallHeader: Codable, Hashable, Sendable {
  var method: String
  /// Whether the caller accepts several replies.
  var more: Bool?
  /// Whether the caller wants no reply.
  var oneway: Bool?

  /// The text before the method's own name.
  var interface: Substring {
    method.lastIndex(of: ".").map { method[..<$0] } ?? ""
  }
}

struct CallMessage<Parameters: Encodable>: Encodable {
  var method: String
  var parameters: Parameters
  var more: Bool?
}

/// The parameters of a call. A call without any may leave them out.
struct CallParameters<Parameters: Decodable>: Decodable {
  var parameters: Parameters

  private enum CodingKeys: CodingKey { case parameters }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let given = try container.decodeIfPresent(Parameters.self, forKey: .parameters) {
      parameters = given
    } else {
      // Absent parameters are the same as an empty object: a required one is then missing, by its name.
      parameters = try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
    }
  }
}

struct ReplyMessage<Parameters: Codable>: Codable {
  var parameters: Parameters?
  /// Whether more replies to the same call follow.
  var continues: Bool?
  /// The error's full name if the call failed; `parameters` are then the error's.
  var error: String?
}

/// The parameters of a method that takes none, or the reply of one that returns none.
struct NoFields: Codable, Hashable, Sendable {}
