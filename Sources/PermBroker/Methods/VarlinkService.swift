/// The interface that every Varlink service must provide. The broker serves it over the sockets `ask` and `control`.
enum VarlinkService {
  static let interface = "org.varlink.service"

  enum GetInfo: LookingMethod {
    static var fullName: String { "\(interface).\(name)" }
    typealias Parameters = NoFields
    struct Reply: Codable, Hashable, Sendable {
      var vendor: String
      var product: String
      var version: String
      var url: String
      var interfaces: [String]
    }
  }

  enum GetInterfaceDescription: LookingMethod {
    static var fullName: String { "\(interface).\(name)" }
    struct Parameters: Codable, Hashable, Sendable { var interface: String }
    struct Reply: Codable, Hashable, Sendable { var description: String }
  }

  /// Returns the description of an interface, in Varlink's interface definition language; `nil` if the broker
  /// does not provide the interface.
  static func description(of interface: String) -> String? {
    switch interface {
    case Self.interface: String(decoding: PackageResources.org_varlink_service_varlink, as: UTF8.self)
    case BrokerError.interface: String(decoding: PackageResources.io_permtui_Broker_varlink, as: UTF8.self)
    default: nil
    }
  }
}
