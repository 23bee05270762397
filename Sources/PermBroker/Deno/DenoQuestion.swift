import FoundationEssentials

/// A question of a Deno process, as Deno 2.9.8 sends it: one line of JSON, and the process waits for one line in reply.
struct DenoQuestion: Hashable, Sendable {
  /// The number of the question. Each process counts from one.
  var id: UInt64
  /// The process that asks, as it sees its own number.
  var pid: Int64
  /// The kind of permission, such as `read`.
  var permission: String
  /// The file, host or name that is asked for; `nil` stands for everything.
  var value: String?
}

extension DenoQuestion: Decodable {
  private enum Key: String, CodingKey { case v, id, pid, permission, value }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    let version = try fields.decode(Int.self, forKey: .v)
    guard version == 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .v, in: fields, debugDescription: "version \(version) is not known")
    }
    id = try fields.decode(UInt64.self, forKey: .id)
    pid = try fields.decode(Int64.self, forKey: .pid)
    permission = try fields.decode(String.self, forKey: .permission)
    // A missing value must not be read as everything.
    value = try fields.decodeNil(forKey: .value) ? nil : fields.decode(String.self, forKey: .value)
  }

  /// Reads a line.
  ///
  /// - Throws: ``DenoRefusal`` if the line is not a question of a known version.
  init(_ line: [UInt8]) throws(DenoRefusal) {
    if let plain = DenoQuestion(plain: line) {
      self = plain
      return
    }
    guard (try? JSONReader.read(line, refusesRepeats: true)) != nil else {
      throw DenoRefusal("PermTUI does not understand the question: it is not JSON, or a member comes twice")
    }
    do {
      self = try JSONDecoder().decode(DenoQuestion.self, from: Data(line))
    } catch let error as DecodingError {
      throw DenoRefusal("PermTUI does not understand the question: \(error.inWords)")
    } catch {
      throw DenoRefusal("PermTUI does not understand the question: it is not JSON")
    }
  }

  /// Returns the number of a question that cannot be read as a whole; `nil` if there is none.
  static func id(in line: [UInt8]) -> UInt64? {
    let name = Array("\"id\"".utf8)
    guard let found = line.firstRange(of: name) else { return nil }
    let signs = Array(" \t:".utf8)
    let digits = line[found.upperBound...].drop(while: signs.contains).prefix { (0x30...0x39).contains($0) }
    return UInt64(String(decoding: digits, as: UTF8.self))
  }
}

/// The reason why a question is denied without asking anybody.
struct DenoRefusal: Error, Hashable, Sendable {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
