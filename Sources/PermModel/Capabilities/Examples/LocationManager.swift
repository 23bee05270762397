/// The source of this machine's location, built only for a program that is allowed to know it.
public final class LocationManager: AuthorizedService {
  public static let capability = Capability.Location(.whenInUse)

  public let precision: Capability.Location.Precision
  private let services: [String]

  init(_ environment: ProbeEnvironment, precision: Capability.Location.Precision) {
    self.precision = precision
    services = environment.systemServices
  }

  public convenience init(_ token: AuthorizationToken<LocationManager>) {
    self.init(token.environment, precision: .approximate)
  }

  /// Describes the sources of the location. It starts nothing.
  public func sources() -> [String] {
    guard let provider = BusServices(folders: services).provider(of: "org.freedesktop.GeoClue2") else {
      return ["no location service"]
    }
    return ["GeoClue (\(provider))"]
  }
}
