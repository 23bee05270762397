extension Capability {
  /// Pictures from a camera.
  public struct Camera: CapabilityType {
    public typealias Requirement = DeviceRequirement
    public typealias Status = DeviceStatus

    public static let definition = CapabilityDefinition(
      name: "camera", title: "Camera", summary: "Pictures and films from the camera.",
      action: "use your camera", explanation: "Pictures and films, at any time while it is allowed.")

    public var definition: CapabilityDefinition { Self.definition }
    public var requirement: Requirement { Requirement(capability: definition.name) }

    public init() {}

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      CaptureDevices(environment).cameras().availability(
        of: "camera", remedy: "plug one in; it shows as \(environment.devices)/video0")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { [environment.devices] }

    public func status(from facts: CapabilityFacts) -> Status { Status(facts.decided.state(of: Atom.whole)) }
  }
}
