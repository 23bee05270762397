// The capabilities whose values are names.

extension Capability {
  /// The variables of the environment.
  public struct Environment: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case read }

    public static let definition = CapabilityDefinition(
      name: "environment", title: "Environment",
      summary: "The variables of the environment, which often hold secrets.",
      parts: [
        CapabilityPart(
          "read", values: .name, valueAction: "read", valueNoun: "variable",
          action: "read every environment variable",
          explanation: "Its value can be copied anywhere.")
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to read one variable.
    public init(read variable: String) throws(ScopeError) {
      self.init(.read, in: [try Scope(name: variable)])
    }

    package var example: CapabilityExample? { requirement.single.flatMap(Self.example) }
  }

  /// Keys that prove who somebody is, as those of ssh.
  public struct Keys: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case use }

    public static let definition = CapabilityDefinition(
      name: "keys", title: "Keys", summary: "Keys that prove who you are, as those of ssh.",
      parts: [
        CapabilityPart(
          "use", values: .name, valueAction: "use", valueNoun: "key", action: "use every key",
          explanation: "A program that uses the key acts in your name.", severity: .severe)
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to use one key, which is named as its agent names it.
    public init(use key: String) throws(ScopeError) { self.init(.use, in: [try Scope(name: key)]) }

    package var example: CapabilityExample? { requirement.single.flatMap(Self.example) }
  }

  /// The tools of an agent.
  public struct Tools: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case use }

    public static let definition = CapabilityDefinition(
      name: "tools", title: "Tools", summary: "The tools of an agent.",
      parts: [
        CapabilityPart(
          "use", values: .name, valueAction: "use", valueNoun: "tool", action: "use every tool",
          explanation: "The tool can do everything that its server can do.")
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to use one tool.
    public init(use tool: String) throws(ScopeError) { self.init(.use, in: [try Scope(name: tool)]) }

    package var example: CapabilityExample? { nil }
  }

  /// Facts about this machine.
  public struct System: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case look }

    public static let definition = CapabilityDefinition(
      name: "system", title: "System", summary: "Facts about this machine, as its name and its load.",
      severity: .mild,
      parts: [
        CapabilityPart(
          "look", values: .name, valueAction: "look up", valueNoun: "fact",
          action: "look up everything about this machine",
          explanation: "Such facts tell machines and persons apart.")
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to look up one fact, for example `hostname`.
    public init(lookUp fact: String) throws(ScopeError) { self.init(.look, in: [try Scope(name: fact)]) }

    package var example: CapabilityExample? { requirement.single.flatMap(Self.example) }
  }
}
