import PermModel

/// The description that a machine gives of itself when a bridge to it is opened. All of it is a claim.
package struct MachineHello: Hashable, Sendable {
  /// The id of the machine's broker, in 32 hexadecimal digits.
  package var id: String
  /// The name by which the machine calls itself, safe to print.
  package var host: String
  package var version: String
  /// The operator whom the key's line names; `nil` if it names nobody.
  package var operatorName: RemoteName?
  package var passes: BridgeRule
  /// How far the machine's clock is ahead of this one. The time that the answer took is given to the machine.
  package var skew: Duration
}

extension MachineHello {
  /// The greatest length of the answer, in bytes.
  static let longest = 64 * 1024
  /// The difference of two clocks that needs no mention.
  package static let toleratedSkew = Duration.seconds(5)
  private static let mostSkew = Duration.seconds(86_400)
  private static let longestHost = 253
  private static let longestVersion = 64

  /// The time in which an answer was made, on this machine's clock.
  struct Span: Hashable, Sendable {
    var sent: Timestamp
    var received: Timestamp

    /// Returns how far a moment lies behind this span; negative if it lies before it.
    func distance(to moment: Timestamp) -> Duration {
      moment > received ? moment - received : moment < sent ? moment - sent : .zero
    }
  }

  /// Reads the answer to the first call. Returns `nil` if more bytes must arrive first.
  ///
  /// - Parameters:
  ///   - bytes: All bytes that have arrived.
  ///   - version: The version of this program.
  /// - Throws: ``MachineFault``, if this is no answer of a bridge that fits this program.
  static func read(
    _ bytes: [UInt8], in span: Span, version: String
  ) throws(MachineFault) -> MachineHello? {
    guard let end = bytes.firstIndex(of: 0) else {
      guard bytes.count < longest else { throw .nonsense("it sent 64 KiB, and none of it is an answer") }
      return nil
    }
    guard end < longest else { throw .nonsense("its first answer is longer than 64 KiB") }
    guard end == bytes.count - 1 else { throw .nonsense("it sent more than it was asked for") }
    return try read(answer: bytes[..<end], span, version)
  }

  private struct Answer: Decodable {
    var parameters: BridgeHello.Reply?
    var error: String?
  }

  /// The part of an answer that all versions have.
  private struct VersionOnly: Decodable {
    struct Parameters: Decodable { var version: String }

    var parameters: Parameters
  }

  private static func read(
    answer: ArraySlice<UInt8>, _ span: Span, _ own: String
  ) throws(MachineFault) -> MachineHello {
    // An answer of another version can have other fields, and is still recognized as such.
    if let other = try? WireCoding.decode(VersionOnly.self, from: answer).parameters.version {
      try check(version: other, own)
    }
    let reply: BridgeHello.Reply
    do {
      let answer = try WireCoding.decode(Answer.self, from: answer)
      if let error = answer.error {
        throw MachineFault.nonsense("it refused the first call with \(quoted(error))")
      }
      guard let parameters = answer.parameters else { throw MachineFault.nonsense("its answer is empty") }
      reply = parameters
    } catch let fault as MachineFault {
      throw fault
    } catch {
      throw .nonsense(visible("\(error)"))
    }
    return try MachineHello(reply, span)
  }

  private init(_ reply: BridgeHello.Reply, _ span: Span) throws(MachineFault) {
    guard Self.isID(reply.machine) else {
      throw .nonsense("its id is not one: \(Self.quoted(reply.machine))")
    }
    guard reply.host.utf8.count <= Self.longestHost else {
      throw .nonsense("its name for itself has more than \(Self.longestHost) bytes")
    }
    guard let rule = BridgeRule(rawValue: reply.passes) else {
      throw .nonsense("it passes on \(Self.quoted(reply.passes)), which is unknown here")
    }
    (id, host, version, passes) = (reply.machine, Self.visible(reply.host), reply.version, rule)
    do { operatorName = try reply.operator.map { try RemoteName($0) } } catch {
      throw .nonsense("its name for you is not one: \(Self.quoted(reply.operator ?? ""))")
    }
    skew = span.distance(to: Timestamp(microseconds: reply.now))
    guard skew.wholeMicroseconds.magnitude <= Self.mostSkew.wholeMicroseconds.magnitude else {
      throw .clock(skew)
    }
  }

  /// Whether a text is the id of a broker: 32 hexadecimal digits, in small letters.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }

  /// Throws an error if two versions do not have the same major and minor number.
  private static func check(version: String, _ own: String) throws(MachineFault) {
    guard version.utf8.count <= longestVersion, version.utf8.allSatisfy(isVersionSign),
      let minor = minor(of: version)
    else {
      throw .nonsense("its version is not one: \(quoted(version))")
    }
    guard minor == self.minor(of: own) else { throw .otherVersion(visible(version)) }
  }

  private static func isVersionSign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: ".+-".utf8.contains(byte)
    }
  }

  private static func minor(of version: String) -> [Int]? {
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false).prefix(2).compactMap {
      Int($0)
    }
    return numbers.count == 2 ? numbers : nil
  }

  private static func visible(_ text: String) -> String { VisibleText.escaped(VisibleText.brief(text)) }

  private static func quoted(_ text: String) -> String { VisibleText.quoted(VisibleText.brief(text)) }
}

extension MachineHello {
  /// The difference of the clocks in words; `nil` if it needs no mention.
  package var skewInWords: String? {
    let seconds = skew.components.seconds
    guard skew.wholeMicroseconds.magnitude > Self.toleratedSkew.wholeMicroseconds.magnitude else {
      return nil
    }
    return "its clock is \(seconds.magnitude) s \(seconds < 0 ? "slow" : "fast")"
  }
}
