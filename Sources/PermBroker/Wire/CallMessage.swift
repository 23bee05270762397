import FoundationEssentials

/// A Varlink call without its parameters, which are read once the method's types are known.
package struct CallHeader: Codable, Hashable, Sendable {
  package var method: String
  /// Whether the caller accepts several replies.
  package var more: Bool?
  /// Whether the caller wants no reply.
  package var oneway: Bool?

  package init(method: String, more: Bool? = nil, oneway: Bool? = nil) {
    self.method = method
    self.more = more
    self.oneway = oneway
  }

  /// The text before the method's own name.
  package var interface: Substring {
    method.lastIndex(of: ".").map { method[..<$0] } ?? ""
  }

  package var name: Substring {
    method.lastIndex(of: ".").map { method[method.index(after: $0)...] } ?? method[...]
  }
}

/// A whole call.
package struct CallMessage<Parameters: Codable>: Codable {
  package var method: String
  package var parameters: Parameters
  package var more: Bool?
  package var oneway: Bool?

  package init(method: String, parameters: Parameters, more: Bool? = nil, oneway: Bool? = nil) {
    self.method = method
    self.parameters = parameters
    self.more = more
    self.oneway = oneway
  }
}

/// The parameters of a call. A call without any may leave them out.
package struct CallParameters<Parameters: Decodable>: Decodable {
  package var parameters: Parameters

  private enum CodingKeys: CodingKey { case parameters }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let given = try container.decodeIfPresent(Parameters.self, forKey: .parameters) {
      parameters = given
    } else {
      // Absent parameters are the same as an empty object: a required one is then missing, by its name.
      parameters = try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
    }
  }
}

/// A Varlink reply.
package struct ReplyMessage<Parameters: Codable>: Codable {
  package var parameters: Parameters?
  /// Whether more replies to the same call follow.
  package var continues: Bool?
  /// The error's full name if the call failed; `parameters` are then the error's.
  package var error: String?

  package init(parameters: Parameters?, continues: Bool? = nil, error: String? = nil) {
    self.parameters = parameters
    self.continues = continues
    self.error = error
  }
}

/// A reply without its parameters.
package struct ReplyHeader: Codable, Hashable, Sendable {
  package var continues: Bool?
  package var error: String?
}

/// The parameters of a method that takes none, or the reply of one that returns none.
package struct NoFields: Codable, Hashable, Sendable {
  package init() {}
}
