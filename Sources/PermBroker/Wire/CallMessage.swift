import FoundationEssentials

/// A Varlink call without its parameters, which are decoded later, when the types of the called method are known.
struct CallHeader: Codable, Hashable, Sendable {
  var method: String
  /// Whether the caller accepts several replies.
  var more: Bool?
  /// Whether the caller does not want a reply.
  var oneway: Bool?

  /// The name of the interface: the part of the method's full name before the last dot.
  var interface: Substring {
    method.lastIndex(of: ".").map { method[..<$0] } ?? ""
  }
}

struct CallMessage<Parameters: Encodable>: Encodable {
  var method: String
  var parameters: Parameters
  var more: Bool?
}

/// The parameters of a call. A call without parameters can omit them.
struct CallParameters<Parameters: Decodable>: Decodable {
  var parameters: Parameters

  private enum CodingKeys: CodingKey { case parameters }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let given = try container.decodeIfPresent(Parameters.self, forKey: .parameters) {
      parameters = given
    } else {
      // Omitted parameters are treated as an empty object. If the method requires a field, the error then
      // names the missing field.
      parameters = try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
    }
  }
}

struct ReplyMessage<Parameters: Codable>: Codable {
  var parameters: Parameters?
  /// Whether more replies to the same call follow.
  var continues: Bool?
  /// The error's full name if the call failed; ``parameters`` then holds the error's fields.
  var error: String?
}

/// The empty object that a method without parameters receives, or that a method without a result returns.
struct NoFields: Codable, Hashable, Sendable {}
