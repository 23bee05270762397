extension Capability {
  /// Pictures from a camera.
  public struct Camera: WholeCapability {
    public static let definition = CapabilityDefinition(
      name: "camera", title: "Camera", summary: "Pictures and films from the camera.",
      action: "use your camera", explanation: "Pictures and films, at any time while it is allowed.")

    public init() {}

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      CaptureDevices(environment).cameras().availability(
        of: "camera", remedy: "plug one in; it shows as \(environment.devices)/video0")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { [environment.devices] }
  }
}
