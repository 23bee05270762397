/// Which status meets which requirement, for every capability, as a table for the documentation.
package struct MeetsTable {
  private let catalogue: CapabilityCatalogue

  package init(_ catalogue: CapabilityCatalogue = .builtIn) { self.catalogue = catalogue }

  /// The page `docs/capabilities.md`.
  package var markdown: String {
    let sections = catalogue.capabilities.map { section($0).joined(separator: "\n") }
    return """
      # Capabilities

      What each capability is, what can be asked of it, and which status meets which requirement. This page is
      made from the code, and a test compares it; `PERMTUI_UPDATE_GOLDENS=1 swift test --filter StatusTests` writes it.

      A row is what was decided, one decision at a time or two; a column is what is asked for. `yes` means that the
      requirement is met. What is not available on this machine is told beside the status, and fails first.

      \(sections.joined(separator: "\n\n"))

      """
  }

  private func section(_ descriptor: CapabilityDescriptor) -> [String] {
    let definition = descriptor.definition
    var lines = ["## \(definition.title)", "", "`\(definition.name)`: \(definition.summary)", ""]
    guard !definition.parts.isEmpty else {
      return lines + ["Nothing can be asked for: every status meets it. It tells only whether it is enabled."]
    }
    let columns = columns(definition)
    let asked = columns.map { "`\(definition.reference(for: $0))`" }
    lines.append("| decided | status | \(asked.joined(separator: " | ")) |")
    lines.append("| --- | --- | \(columns.map { _ in "---" }.joined(separator: " | ")) |")
    return lines + rows(definition).map { row($0, descriptor, columns) }
  }

  /// One decided set of states, in words and as facts.
  private struct Row {
    var words: String
    var facts: CapabilityFacts
  }

  private func row(_ row: Row, _ descriptor: CapabilityDescriptor, _ columns: [Set<Atom>]) -> String {
    let cells = columns.map { descriptor.status(for: $0, from: row.facts).isMet ? "yes" : "no" }
    let status = descriptor.status(for: columns.first ?? [], from: row.facts).words
    return "| \(row.words) | \(status) | \(cells.joined(separator: " | ")) |"
  }

  /// Each part alone, and the first two together.
  private func columns(_ definition: CapabilityDefinition) -> [Set<Atom>] {
    let atoms = shownAtoms(definition)
    return atoms.map { [$0] } + (atoms.count > 1 ? [Set(atoms.prefix(2))] : [])
  }

  private func rows(_ definition: CapabilityDefinition) -> [Row] {
    let atoms = shownAtoms(definition)
    let name = { (atom: Atom) in "`\(atom.name)`" }
    var rows = [Row(words: "nothing", facts: facts(definition, []))]
    rows += atoms.map { Row(words: "\(name($0)) allowed", facts: facts(definition, [($0, .allow)])) }
    rows += atoms.map { Row(words: "\(name($0)) denied", facts: facts(definition, [($0, .deny)])) }
    if let first = atoms.first, atoms.count > 1 {
      rows += atoms.dropFirst().map {
        Row(
          words: "\(name(first)) allowed, \(name($0)) denied",
          facts: facts(definition, [(first, .allow), ($0, .deny)]))
      }
      rows.append(
        Row(words: "all allowed", facts: facts(definition, definition.atoms.map { ($0, .allow) })))
    }
    rows.append(
      Row(
        words: "all allowed, \(name(atoms[0])) restricted by the policy",
        facts: facts(definition, definition.atoms.map { ($0, .allow) }, restricted: [atoms[0]])))
    rows.append(
      Row(
        words: "all allowed, not available here",
        facts: facts(definition, definition.atoms.map { ($0, .allow) }, isAvailable: false)))
    return rows
  }

  /// Of many alike, one for each kind.
  private func shownAtoms(_ definition: CapabilityDefinition) -> [Atom] {
    guard definition.atoms.count > 6 else { return definition.atoms }
    var kinds: Set<Substring> = []
    let first = definition.atoms.filter { kinds.insert($0.name.prefix { $0 != "=" }).inserted }
    return first + definition.atoms.filter { !first.contains($0) }.prefix(1)
  }

  private func facts(
    _ definition: CapabilityDefinition, _ decided: [(Atom, Verdict)], restricted: Set<Atom> = [],
    isAvailable: Bool = true
  ) -> CapabilityFacts {
    let decisions = decided.enumerated().map { index, ruling in
      Decision(
        subject: Subject(label: "program"), atom: ruling.0, verdict: ruling.1, lifetime: .forever,
        origin: .commandLine, decidedAt: Timestamp(seconds: Int64(index)))
    }
    return CapabilityFacts(
      decided: DecidedAtoms(definition, decisions: decisions, restricted: restricted),
      availability: isAvailable ? .available(found: "") : .missing("", remedy: ""))
  }
}
