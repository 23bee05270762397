/// A method of the interface: its name, the socket that serves it, its parameters and its reply.
protocol BrokerMethod: SendableMetatype {
  associatedtype Parameters: Codable & Sendable
  associatedtype Reply: Codable & Sendable
  static var name: String { get }
  static var socket: BrokerSocket { get }
  /// The name, qualified by the interface.
  static var fullName: String { get }
  /// Whether a call changes anything, so that not every process may make it. There is no default.
  static func changes(_ parameters: Parameters) -> Bool
}

extension BrokerMethod {
  static var name: String { String(describing: Self.self) }
  static var socket: BrokerSocket { .control }
  static var fullName: String { "\(BrokerError.interface).\(name)" }
}

/// The methods of `io.permtui.Broker`.
enum Methods {}
