/// A method of the interface: its name, the socket that serves it, its parameters and its reply.
protocol BrokerMethod: SendableMetatype {
  associatedtype Parameters: Codable & Sendable
  associatedtype Reply: Codable & Sendable
  static var name: String { get }
  static var socket: BrokerSocket { get }
  /// The name, qualified by the interface.
  static var fullName: String { get }
  /// Whether a call changes anything, so that not every process may make it. There is no default; most methods conform
  /// to a protocol below that says so.
  static func changes(_ parameters: Parameters) -> Bool
}

extension BrokerMethod {
  static var name: String { String(describing: Self.self) }
  static var socket: BrokerSocket { .control }
  static var fullName: String { "\(BrokerError.interface).\(name)" }
}

/// A method that changes nothing, so that every process may call it.
protocol LookingMethod: BrokerMethod {}

extension LookingMethod {
  static func changes(_: Parameters) -> Bool { false }
}

/// A method for programs, at the socket `ask`: it neither changes a decision nor shows another program.
protocol AskMethod: LookingMethod {}

extension AskMethod {
  static var socket: BrokerSocket { .ask }
}

/// A method of which every call changes something.
protocol ChangingMethod: BrokerMethod {}

extension ChangingMethod {
  static func changes(_: Parameters) -> Bool { true }
}

/// The methods of `io.permtui.Broker`. Its description says what their fields mean.
enum Methods {}
