extension Capability {
  /// Programs to run. A program that is run this way can do all that you can.
  public struct Commands: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case run }

    public static let definition = CapabilityDefinition(
      name: "commands", title: "Commands",
      summary: "Programs to run. A program that is run this way can do all that you can.",
      parts: [
        CapabilityPart(
          "run", values: .command, valueAction: "run", action: "run any command",
          explanation: "The command can do everything that you can do.", severity: .severe)
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to run one command line, as a shell would read it.
    ///
    /// - Throws: ``ScopeError`` if the line is empty or too long, or contains a NUL.
    public init(run line: String) throws(ScopeError) { self.init(.run, in: [try Scope(command: line)]) }

    package var example: CapabilityExample? { requirement.single.flatMap(Self.example) }
  }
}
