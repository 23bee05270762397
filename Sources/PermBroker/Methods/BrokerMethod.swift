/// A method of the broker's interface, with its name, the socket that serves it, its parameters and its reply.
protocol BrokerMethod: SendableMetatype {
  associatedtype Parameters: Codable & Sendable
  associatedtype Reply: Codable & Sendable
  static var name: String { get }
  static var socket: BrokerSocket { get }
  /// The name, qualified by the interface.
  static var fullName: String { get }
  /// Whether a call with these parameters changes anything. If so, only certain processes are allowed to make the call.
  ///
  /// Most methods inherit this from ``LookingMethod`` or ``ChangingMethod``. The others implement it themselves.
  static func changes(_ parameters: Parameters) -> Bool
}

extension BrokerMethod {
  // `String(describing:)` returns the same text, but first looks up three conformances of the type.
  static var name: String { _typeName(Self.self, qualified: false) }
  static var socket: BrokerSocket { .control }
  static var fullName: String { "\(BrokerError.interface).\(name)" }
}

/// A method that changes nothing, and that every process is therefore allowed to call.
protocol LookingMethod: BrokerMethod {}

extension LookingMethod {
  static func changes(_: Parameters) -> Bool { false }
}

/// A method for programs, served over the `ask` socket. It neither changes a decision nor reveals anything about
/// another program.
protocol AskMethod: LookingMethod {}

extension AskMethod {
  static var socket: BrokerSocket { .ask }
}

/// A method that changes something with every call.
protocol ChangingMethod: BrokerMethod {}

extension ChangingMethod {
  static func changes(_: Parameters) -> Bool { true }
}

/// The methods of the interface `io.permtui.Broker`. The interface's description explains their fields.
enum Methods {}
