/// A capability that a person has defined in `config.toml`.
package struct UserCapability: CapabilityType {
  package let definition: CapabilityDefinition
  package let requirement: AtomRequirement
  /// The path that must exist for the capability to be available; `nil` if the capability is always available.
  private let probedPath: String?

  private init(_ definition: CapabilityDefinition, atoms: Set<Atom>, probedPath: String?) {
    self.definition = definition
    requirement = AtomRequirement(atoms: atoms)
    self.probedPath = probedPath
  }

  var descriptor: CapabilityDescriptor {
    CapabilityDescriptor(definition) { [definition, probedPath] atoms in
      UserCapability(definition, atoms: atoms, probedPath: probedPath)
    }
  }

  /// Returns a capability from a definition that was already read, for example by a broker.
  ///
  /// - Parameter path: The path that must exist for the capability to be available; `nil` if there is none.
  package static func descriptor(
    _ definition: CapabilityDefinition, probing path: String?
  ) -> CapabilityDescriptor {
    UserCapability(definition, atoms: definition.defaultAtoms, probedPath: path).descriptor
  }

  package func availability(in environment: ProbeEnvironment) async -> Availability {
    guard let probedPath else { return .available(found: "") }
    let shown = environment.shortened(probedPath)
    guard FileSystem().entry(at: probedPath) != nil else {
      return .missing("\(shown) is not there", remedy: "make it, or change probe in config.toml")
    }
    return .available(found: shown)
  }

  package func probedPaths(in environment: ProbeEnvironment) -> [String] { probedPath.map { [$0] } ?? [] }
}

// MARK: Reading it

extension UserCapability {
  /// Reads `[capability.NAME]`, and reports every mistake in it. The result is `nil` if the table does not
  /// define a capability.
  init?(named name: String, _ table: inout ConfigurationTable, _ environment: ProbeEnvironment) {
    let title = table.text("title")
    let summary = table.text("description")
    let severity = Severity("severity", in: &table) ?? .moderate
    let parts = Self.parts(&table, action: (title ?? name).lowercased())
    let defaults = table.texts("default")
    let probe = table.text("probe")
    table.reportUnknownKeys()
    if let obstacle = Self.obstacle(to: name, table.values) {
      table.report(nil, obstacle)
      return nil
    }
    // Without parts, a capability would ask for nothing, so it would be allowed for every program.
    guard !parts.isEmpty else {
      if table.problems.isEmpty { table.report("requirements", "must name at least one") }
      return nil
    }
    let known = Set(parts.map(\.name))
    for part in defaults ?? [] where !known.contains(part) {
      table.report("default", "\"\(part)\" is not one of its requirements")
    }
    let path = probe.flatMap { table.path("probe", $0, in: environment) }
    let definition = CapabilityDefinition(
      name: name, title: title ?? name, summary: summary ?? "A capability of your own.", severity: severity,
      parts: parts, defaultParts: defaults.map { known.intersection($0) })
    self.init(definition, atoms: definition.defaultAtoms, probedPath: path)
  }

  /// Returns the reason why a table cannot define a capability; `nil` if there is no such reason.
  private static func obstacle(to name: String, _ values: ConfigurationEntries) -> String? {
    if !isName(name) { return nameRule }
    if CapabilityCatalogue.builtIn[name] != nil {
      return "is the name of a built-in capability; choose another"
    }
    // A damaged table is not used, because a severity or an implication might be missing from it.
    return values.isDamaged ? "is left out until its mistakes are corrected" : nil
  }

  /// The rule that ``isName(_:)`` checks, in words.
  package static let nameRule =
    "a name consists of a to z, 0 to 9 and -, and has at most 32 characters"

  package static func isName(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// Reads `requirements`, which is either a list of names or a table that describes each requirement. Without this
  /// key, the capability has a single part, which is the capability as a whole.
  private static func parts(_ table: inout ConfigurationTable, action: String) -> [CapabilityPart] {
    if case .table = table.values["requirements"], var all = table.table("requirements") {
      let parts = all.values.keys.compactMap { name -> CapabilityPart? in
        guard var one = all.table(name) else { return nil }
        let made = part(name, &one, action: action)
        all.report(one.problems)
        return made
      }
      table.report(all.problems)
      return checked(parts, &table)
    }
    guard table.values["requirements"] != nil else {
      return [CapabilityPart(Atom.whole, title: "use", action: "use \(action)")]
    }
    let names = table.texts("requirements") ?? []
    return checked(names.map { CapabilityPart($0, action: "use \(action): \($0)") }, &table)
  }

  private static func part(
    _ name: String, _ table: inout ConfigurationTable, action: String
  ) -> CapabilityPart? {
    let given = table.text("values")
    let values = given.flatMap { kind($0, &table) }
    let action = table.text("action") ?? "use \(action): \(name)"
    let part = CapabilityPart(
      name, title: table.text("title"), values: values, valueAction: values == nil ? nil : action,
      action: values == nil ? action : "\(action) everything",
      explanation: table.text("description") ?? "", implies: Set(table.texts("implies") ?? []),
      severity: Severity("severity", in: &table))
    table.reportUnknownKeys()
    // Without its values, the part would be allowed as a whole, so it is left out.
    return given != nil && values == nil ? nil : part
  }

  /// Reads the kind of values that a part takes. Reports any other string.
  private static func kind(_ text: String, _ table: inout ConfigurationTable) -> Scope.Kind? {
    switch text {
    case "name": return .name
    case "path": return .path
    default:
      table.report("values", "must be \"name\" or \"path\"; until this is corrected, the part is left out")
      return nil
    }
  }

  private static func checked(
    _ parts: [CapabilityPart], _ table: inout ConfigurationTable
  ) -> [CapabilityPart] {
    let names = Set(parts.map(\.name))
    for part in parts {
      if !isName(part.name) {
        table.report("requirements", "\"\(part.name)\": \(nameRule)")
      }
      for implied in part.implies where !names.contains(implied) {
        table.report("requirements.\(part.name).implies", "\"\(implied)\" is not one of its requirements")
      }
    }
    return parts.filter { isName($0.name) }
  }
}

extension Severity {
  /// Reads a severity. Reports any other value, and counts it as severe: a mistake must not make a capability milder.
  fileprivate init?(_ key: String, in table: inout ConfigurationTable) {
    guard table.values[key] != nil else { return nil }
    let text = table.text(key)
    let severity = text.flatMap(Severity.init)
    if text != nil, severity == nil {
      table.report(
        key, "must be \"mild\", \"moderate\" or \"severe\"; until this is corrected, it counts as severe")
    }
    self = severity ?? .severe
  }
}
