/// The source of this machine's location, built only for a program that is allowed to know it.
package final class LocationManager: AuthorizedService {
  package static let capability = Capability.Location(.whenInUse)

  package let precision: Capability.Location.Precision
  private let services: [String]

  init(_ environment: ProbeEnvironment, precision: Capability.Location.Precision) {
    self.precision = precision
    services = environment.systemServices
  }

  package convenience init(_ token: AuthorizationToken<LocationManager>) {
    self.init(token.environment, precision: .approximate)
  }

  /// Describes the sources of the location. It starts nothing.
  package func sources() -> [String] {
    guard let provider = BusServices(folders: services).provider(of: "org.freedesktop.GeoClue2") else {
      return ["no location service"]
    }
    return ["GeoClue (\(provider))"]
  }
}
