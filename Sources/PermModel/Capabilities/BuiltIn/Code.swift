extension Capability {
  /// Code from elsewhere that becomes part of the program.
  public struct Code: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case `import`, load, update }

    public static let definition = CapabilityDefinition(
      name: "code", title: "Code", summary: "Code from elsewhere that becomes part of the program.",
      parts: [
        CapabilityPart(
          "import", values: .host, valueAction: "load code from", action: "load code from any host",
          explanation: "The code can do everything that the program can do."),
        CapabilityPart(
          "load", values: .path, valueAction: "load", valueNoun: "library", action: "load any library",
          explanation: "A library is not held back by anything that the program is denied.",
          severity: .severe),
        CapabilityPart(
          "update", values: .name, valueAction: "keep what was decided, after an update of",
          valueNoun: "program",
          action: "keep what was decided, after every update",
          explanation: "The new file is allowed everything that the earlier one was allowed. Denials stay."),
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to load code from a host.
    public init(importFrom host: String, port: UInt16? = nil) throws(ScopeError) {
      self.init(.import, in: [try Scope(host: host, port: port)])
    }

    /// Creates the capability to load a library.
    public init(load path: String) throws(ScopeError) { self.init(.load, in: [try Scope(path: path)]) }

    /// Creates the capability to keep what was decided, after an update of a program.
    public init(updateOf program: String) throws(ScopeError) {
      self.init(.update, in: [try Scope(name: program)])
    }

    package var example: CapabilityExample? { nil }
  }
}
