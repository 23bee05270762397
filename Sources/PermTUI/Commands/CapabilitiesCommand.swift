import ArgumentParser
import PermModel

struct CapabilitiesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "capabilities",
    abstract: "List what programs can ask for, and whether this machine has it.",
    discussion: """
      For a named capability, explains each of its parts. With --check, lists nothing: reports mistakes in the \
      configuration with exit status 2, and a named capability that is not available here with exit status 4.

      With --new, prints a commented template for a capability of your own, to be appended to config.toml.

      Examples:
        permtui capabilities
        permtui capabilities health
        permtui capabilities --check
        permtui capabilities --check camera && record
        permtui capabilities --new deploy >>~/.config/permtui/config.toml
      """)

  @Argument(
    help: ArgumentHelp("Only these capabilities.", valueName: "capability"),
    completion: .custom(Completion.capabilities))
  var names: [String] = []

  @Flag(help: "Only check the configuration, and whether the named capabilities are available.")
  var check = false

  @Option(help: ArgumentHelp("Print a template for a capability of your own.", valueName: "name"))
  var new: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard new == nil || names.isEmpty && !check && !json else {
      throw ValidationError("--new takes only the name of the new capability, and no other arguments")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    if let new { return try printTemplate(new, in: context) }
    let hasMistakes = !context.configurationProblems().isEmpty
    let context = hasMistakes ? context.withCapabilitiesOfBroker() ?? context : context
    let listed = try capabilities(in: context.catalogue)
    let availabilities = context.availabilities()
    if check { return checked(listed, availabilities, in: context) }
    if json {
      try context.console.print(
        ["capabilities": .list(listed.map { Self.json($0, availabilities[$0.name]) })] as JSON)
    } else if names.isEmpty {
      try context.console.print(Self.table(listed, availabilities))
      try context.console.printRemedies(listed, availabilities)
    } else {
      for definition in listed { try context.console.print(definition, availabilities[definition.name]) }
    }
    return .done
  }

  private func printTemplate(_ name: String, in context: CommandContext) throws -> ExitStatus {
    try context.console.print(CapabilityTemplate(name, beside: context.catalogue).text)
    let file = context.probes.shortened(context.probes.configFile)
    context.console.note("Append this to \(file), adapt it, then run: permtui capabilities --check")
    return .done
  }

  private func checked(
    _ listed: [CapabilityDefinition], _ availabilities: [String: Availability], in context: CommandContext
  ) -> ExitStatus {
    let problems = context.configurationProblems()
    context.console.note(problems)
    guard problems.isEmpty else { return .failed }
    let isAvailable = names.isEmpty || listed.allSatisfy { availabilities[$0.name]?.isAvailable == true }
    return isAvailable ? .done : .unavailable
  }

  private func capabilities(in catalogue: CapabilityCatalogue) throws -> [CapabilityDefinition] {
    guard !names.isEmpty else { return catalogue.capabilities.map(\.definition) }
    return try names.compactMap { try catalogue[catalogue.parseWhole($0).capability]?.definition }
  }

  private static func table(
    _ definitions: [CapabilityDefinition], _ availabilities: [String: Availability]
  ) -> Table {
    var table = Table(
      "Capability", "Parts (* usual)", "On this machine",
      fitting: [.shortenEnd("Parts (* usual)"), .shortenEnd("On this machine"), .shortenEnd("Capability")])
    for definition in definitions {
      table.add(
        .init(definition.name), .init(definition.shortParts),
        .init(availability: availabilities[definition.name]))
    }
    return table
  }

  private static func json(_ definition: CapabilityDefinition, _ availability: Availability?) -> JSON {
    let parts = definition.parts.map { part -> JSON in
      [
        "action": .text(part.action), "default": .boolean(definition.defaultParts.contains(part.name)),
        "name": .text(part.name),
        "requirement": .text(definition.reference(for: [Atom(definition.name, part.name)])),
        "values": JSON(part.values?.rawValue),
      ]
    }
    return [
      "availability": availability.map { JSON($0) } ?? .null, "name": .text(definition.name),
      "parts": .list(parts), "summary": .text(definition.summary), "title": .text(definition.title),
    ]
  }
}

extension CapabilityDefinition {
  private static let shownParts = 5

  /// The names of the parts, with the usual parts marked. If there are many parts, the last ones are only counted.
  fileprivate var shortParts: String {
    guard parts.map(\.name) != [Atom.whole] else { return "" }
    let names = parts.prefix(Self.shownParts).map { $0.name + (defaultParts.contains($0.name) ? "*" : "") }
    let more = parts.count - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension Table.Cell {
  fileprivate init(availability: Availability?) {
    switch availability {
    case .available(let found): self.init(found.isEmpty ? "available" : found, .allowed)
    case .unavailable(let why): self.init(why.reason, .muted)
    case nil: self.init("")
    }
  }
}

extension Console {
  /// Prints a remedy for each capability that this machine does not have.
  fileprivate func printRemedies(
    _ definitions: [CapabilityDefinition], _ availabilities: [String: Availability]
  ) throws(OutputError) {
    let missing = definitions.compactMap { definition in
      availabilities[definition.name]?.unavailability.map { (definition.name, $0.remedy) }
    }
    guard !missing.isEmpty else { return }
    try print("\nTo have what is missing:")
    for (name, remedy) in missing { try print(wrapping: visible("  \(name): \(remedy)"), indent: 4) }
  }

  /// Prints a capability, and what each of its parts allows. If the capability is not available, also prints
  /// why, and how to make it available.
  fileprivate func print(_ definition: CapabilityDefinition, _ availability: Availability?)
    throws(OutputError)
  {
    try print("\(definition.name): \(definition.summary)")
    if let why = availability?.unavailability {
      try print(foreign: "  not available: \(why.reason); \(why.remedy)")
    }
    for atom in definition.atoms {
      guard let part = definition.part(of: atom) else { continue }
      let usual = definition.defaultParts.contains(part.name) && definition.parts.count > 1 ? " (usual)" : ""
      let what = visible(written: definition.reference(for: [atom]))
      try print("  \(what)\(usual): lets a program \(visible(part.action))")
      if let action = part.valueAction, let kind = part.values {
        let value = kind.rawValue.uppercased()
        try print("  \(definition.name):\(part.name)@\(value): lets a program \(visible(action)) \(value)")
      }
    }
  }
}
