import Machine
import PermModel

/// A method that the bridge itself answers: which machine is at its end, and what can be done there.
enum BridgeHello: LookingMethod {
  static var fullName: String { "io.permtui.Bridge.Hello" }

  typealias Parameters = NoFields

  struct Reply: Codable, Hashable, Sendable {
    /// The id of the machine's broker, in 32 hexadecimal digits.
    var machine: String
    /// The name by which the machine calls itself.
    var host: String
    var version: String
    /// The operator for whom the bridge acts; `nil` if it names nobody.
    var `operator`: String?
    /// The calls that the bridge passes on: `watch`, `answers` or `rules`.
    var passes: String
    /// The machine's clock, in microseconds since 1970.
    var now: Int64
  }
}

/// The id of a broker, by which an operator's dashboard tells one machine from another.
package enum BrokerID {
  private static let application = Array("io.permtui.broker.1".utf8)

  /// Returns the id of the broker that serves a store. The id of the machine cannot be found from it. A machine without an
  /// id of its own is known by its name.
  package static func of(store: String, user: UInt32) -> String {
    let machine = Files.text(of: "/etc/machine-id", limit: 64) ?? HostName.current
    let message = application + Array("\(user)\0\(store)".utf8)
    let code = authenticationCode(of: message, key: Array(machine.utf8.prefix { $0 != 0x0a }))
    return code.prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }

  /// Returns the HMAC of a message, as RFC 2104 defines it, with SHA-256.
  static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? SHA256.digest(of: key) : key
    let block = short + [UInt8](repeating: 0, count: 64 - short.count)
    let inner = SHA256.digest(of: block.map { $0 ^ 0x36 } + message)
    return SHA256.digest(of: block.map { $0 ^ 0x5c } + inner)
  }
}
