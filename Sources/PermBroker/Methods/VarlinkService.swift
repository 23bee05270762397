/// The interface that every Varlink service has.
enum VarlinkService {
  static let interface = "org.varlink.service"

  enum GetInfo: BrokerMethod {
    static let name = "GetInfo"
    static var fullName: String { "\(interface).\(name)" }
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable {}
    struct Reply: Codable, Hashable, Sendable {
      var vendor: String
      var product: String
      var version: String
      var url: String
      var interfaces: [String]
    }
  }

  enum GetInterfaceDescription: BrokerMethod {
    static let name = "GetInterfaceDescription"
    static var fullName: String { "\(interface).\(name)" }
    static func changes(_: Parameters) -> Bool { false }

    struct Parameters: Codable, Hashable, Sendable { var interface: String }
    struct Reply: Codable, Hashable, Sendable { var description: String }
  }

  /// What GetInterfaceDescription gives.
  static func description(of interface: String) -> String? {
    switch interface {
    case Self.interface: serviceDescription
    case BrokerError.interface: InterfaceDescription.text
    default: nil
    }
  }

  private static let serviceDescription = """
    # What every service has.
    interface org.varlink.service

    # Tells what this service is.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Gives the description of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    error InterfaceNotFound (interface: string)

    error MethodNotFound (method: string)

    error MethodNotImplemented (method: string)

    error InvalidParameter (parameter: string)

    error ExpectedMore ()

    """
}
