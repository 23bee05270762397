extension Capability {
  /// Sound from a microphone.
  public struct Microphone: WholeCapability {
    public static let definition = CapabilityDefinition(
      name: "microphone", title: "Microphone", summary: "Sound from the microphone.",
      action: "use your microphone", explanation: "Sound, at any time while it is allowed.")

    public init() {}

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      CaptureDevices(environment).microphones().availability(
        of: "microphone", remedy: "plug one in; it shows in \(environment.devices)/snd")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] {
      ["\(environment.devices)/snd"]
    }
  }
}
