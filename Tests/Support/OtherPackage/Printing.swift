import PermModel

/// Printing on this machine's printers.
struct Printing: CapabilityType {
  let definition = CapabilityDefinition(
    name: "printing", title: "Printing", summary: "The printers of this machine.",
    parts: [
      CapabilityPart("print", action: "print on your printers"),
      CapabilityPart("manage", action: "change your printers", implies: ["print"], severity: .severe),
    ])
  let requirement: AtomRequirement

  init(_ part: String = "print") { requirement = AtomRequirement(atoms: [Atom("printing", part)]) }

  func availability(in environment: ProbeEnvironment) async -> Availability {
    FileSystem().isFolder("\(environment.configHome)/printers")
      ? .available(found: "printers")
      : .missing("no printer is set up", remedy: "set one up: lpadmin -p NAME -E -v URI")
  }
}
