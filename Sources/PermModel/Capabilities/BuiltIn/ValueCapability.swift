/// A built-in capability whose parts take values, such as paths or hosts.
package struct ValueCapability: CapabilityType, ExemplaryCapability {
  package let definition: CapabilityDefinition
  package let requirement: AtomRequirement
  package let example: CapabilityExample?
}

// MARK: - Definitions

extension ValueCapability {
  static let files = CapabilityDefinition(
    name: "files", title: "Files", summary: "The files on this machine.",
    parts: [
      CapabilityPart(
        "read", values: .path, valueAction: "read", action: "read any file",
        explanation: "What is in the files can be copied anywhere."),
      CapabilityPart(
        "write", values: .path, valueAction: "change", action: "change any file",
        explanation: "Files can be made, changed and deleted, and read.", implies: ["read"]),
    ], defaultParts: [])

  static let network = CapabilityDefinition(
    name: "network", title: "Network", summary: "Connections to other machines.",
    parts: [
      CapabilityPart(
        "connect", values: .host, valueAction: "connect to", action: "connect to any host",
        explanation: "Anything that the program knows can be sent there."),
      CapabilityPart(
        "listen", values: .host, valueAction: "listen at", action: "listen at any address",
        explanation: "Other programs, and other machines if the address is not this one, can connect."),
    ], defaultParts: [])

  static let commands = CapabilityDefinition(
    name: "commands", title: "Commands", summary: "Other programs, with all that they may do.",
    parts: [
      CapabilityPart(
        "run", values: .command, valueAction: "run", action: "run any command",
        explanation: "The command can do everything that you can do.", severity: .severe)
    ], defaultParts: [])

  static let environment = CapabilityDefinition(
    name: "environment", title: "Environment",
    summary: "The variables of the environment, which often hold secrets.",
    parts: [
      CapabilityPart(
        "read", values: .name, valueAction: "read", valueNoun: "variable",
        action: "read every environment variable",
        explanation: "Its value can be copied anywhere.")
    ], defaultParts: [])

  static let keys = CapabilityDefinition(
    name: "keys", title: "Keys", summary: "Keys that prove who you are, as those of ssh.",
    parts: [
      CapabilityPart(
        "use", values: .name, valueAction: "use", valueNoun: "key", action: "use every key",
        explanation: "Whoever uses the key acts in your name.", severity: .severe)
    ], defaultParts: [])

  static let tools = CapabilityDefinition(
    name: "tools", title: "Tools", summary: "The tools of an agent.",
    parts: [
      CapabilityPart(
        "use", values: .name, valueAction: "use", valueNoun: "tool", action: "use every tool",
        explanation: "The tool can do everything that its server can do.")
    ], defaultParts: [])

  static let system = CapabilityDefinition(
    name: "system", title: "System", summary: "Facts about this machine, as its name and its load.",
    severity: .mild,
    parts: [
      CapabilityPart(
        "look", values: .name, valueAction: "look up", valueNoun: "fact",
        action: "look up everything about this machine",
        explanation: "Such facts tell machines and persons apart.")
    ], defaultParts: [])

  static let code = CapabilityDefinition(
    name: "code", title: "Code", summary: "Code from elsewhere that becomes part of the program.",
    parts: [
      CapabilityPart(
        "import", values: .host, valueAction: "load code from", action: "load code from any host",
        explanation: "The code can do everything that the program can do."),
      CapabilityPart(
        "load", values: .path, valueAction: "load", valueNoun: "library", action: "load any library",
        explanation: "A library is not held back by anything that the program is denied.", severity: .severe),
      CapabilityPart(
        "update", values: .name, valueAction: "keep what was decided, after an update of",
        valueNoun: "program",
        action: "keep what was decided, after every update",
        explanation: "What its earlier file was allowed, the new one is allowed, too. Denials stay."),
    ], defaultParts: [])
}
