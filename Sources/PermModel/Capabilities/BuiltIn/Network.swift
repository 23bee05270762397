extension Capability {
  /// Connections to other machines.
  public struct Network: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case connect, listen }

    public static let definition = CapabilityDefinition(
      name: "network", title: "Network", summary: "Connections to other machines.",
      parts: [
        CapabilityPart(
          "connect", values: .host, valueAction: "connect to", action: "connect to any host",
          explanation: "Anything that the program knows can be sent there."),
        CapabilityPart(
          "listen", values: .host, valueAction: "listen at", action: "listen at any address",
          explanation: "Other programs, and other machines if the address is not this one, can connect."),
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to connect to a host, or to listen at an address of this machine.
    ///
    /// - Parameters:
    ///   - part: Whether to connect or to listen.
    ///   - host: The name or the address of the host; `*.example.org` for all hosts below that name.
    ///   - port: The port; `nil` for every port.
    /// - Throws: ``ScopeError`` if the text is not just a host. The error says what would work.
    public init(_ part: Part, to host: String, port: UInt16? = nil) throws(ScopeError) {
      self.init(part, in: [try Scope(host: host, port: port)])
    }

    package var example: CapabilityExample? { requirement.single.flatMap(Self.example) }
  }
}
