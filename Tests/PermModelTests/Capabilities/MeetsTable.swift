@testable import PermModel

/// A page of the documentation that says, for every capability, which status meets which requirement.
///
/// It is complete: for related parts, it has every status that decisions and the machine can bring about, against every
/// requirement of these parts.
struct MeetsTable {
  private let catalogue: CapabilityCatalogue

  init(_ catalogue: CapabilityCatalogue = .builtIn) { self.catalogue = catalogue }

  /// The page `docs/capabilities.md`.
  var markdown: String {
    let sections = catalogue.capabilities.map { section($0).joined(separator: "\n") }
    return """
      # Capabilities

      This page lists the capabilities, what programs can ask of each, and which status meets which requirement. It is made
      from the code, and a test compares it; `PERMTUI_UPDATE_GOLDENS=1 swift test --filter StatusTests` writes it.

      Each row is a status, with the fewest decisions that lead to it. Each column is a requirement, and `yes` means that the
      status meets it. Every status and every requirement is listed, except that unrelated parts have tables of their own: a
      request for parts from several tables is met if each of the tables says yes. Whether the machine has a capability is
      told beside the status, and a capability that it does not have fails first.

      \(sections.joined(separator: "\n\n"))

      """
  }

  private func section(_ descriptor: CapabilityDescriptor) -> [String] {
    let definition = descriptor.definition
    var lines = ["## \(definition.title)", "", "`\(definition.name)`: \(definition.summary)"]
    for (atoms, alike) in definition.independentKinds {
      lines += ["", tableHead(definition, requirements(of: atoms))]
      lines += rows(descriptor, atoms)
      if !alike.isEmpty {
        lines += ["", "The same holds for \(alike.map { "`\($0.name)`" }.joined(separator: ", "))."]
      }
    }
    if definition.atoms.isEmpty { lines += ["", "It has no parts to ask for, so every status meets it."] }
    return lines
  }

  private func tableHead(_ definition: CapabilityDefinition, _ requirements: [Set<Atom>]) -> String {
    let asked = requirements.map { "`\(definition.reference(for: $0))`" }
    return """
      | status | for example after | \(asked.joined(separator: " | ")) |
      | --- | --- | \(asked.map { _ in "---" }.joined(separator: " | ")) |
      """
  }

  /// One row for each status, the one with the fewest decisions first.
  private func rows(_ descriptor: CapabilityDescriptor, _ atoms: [Atom]) -> [String] {
    let requirements = requirements(of: atoms)
    var seen: Set<[String]> = []
    var rows: [String] = []
    for situation in Situation.all(of: atoms) {
      let facts = situation.facts(descriptor.definition)
      let reports = requirements.map { descriptor.status(for: $0, from: facts) }
      let row = [reports[0].words] + reports.map { $0.isMet ? "yes" : "no" }
      guard seen.insert(row).inserted else { continue }
      rows.append("| \(row[0]) | \(situation.words) | \(row.dropFirst().joined(separator: " | ")) |")
    }
    return rows
  }

  /// Returns all possible requirements of some atoms, the smallest first.
  private func requirements(of atoms: [Atom]) -> [Set<Atom>] {
    guard !atoms.isEmpty else { return [[]] }
    let all = (1..<(1 << atoms.count)).map { bits in
      Set(atoms.indices.filter { bits & (1 << $0) != 0 }.map { atoms[$0] })
    }
    return (1...atoms.count).flatMap { size in all.filter { $0.count == size } }
  }
}

/// The decisions made one after another about some atoms, the policy's restrictions, and the machine's availability.
private struct Situation {
  var decided: [(atom: Atom, verdict: Verdict)] = []
  var restricted: [Atom] = []
  var availability = Availability.available(found: "")

  var words: String {
    var words: [String] = []
    if !decided.isEmpty {
      let steps = decided.map { "`\($0.atom.name)` \($0.verdict == .allow ? "allowed" : "denied")" }
      words.append(steps.joined(separator: ", then "))
    }
    words += restricted.map { "`\($0.name)` restricted by the policy" }
    if let why = availability.unavailability {
      words.append(why.cause == .missing ? "not there" : "the machine could not be looked at")
    }
    return words.isEmpty ? "nothing" : words.joined(separator: "; ")
  }

  func facts(_ definition: CapabilityDefinition) -> CapabilityFacts {
    let decisions = decided.enumerated().map { index, ruling in
      Decision(
        subject: Subject(label: "program"), atom: ruling.atom, verdict: ruling.verdict, lifetime: .forever,
        origin: .commandLine, decidedAt: Timestamp(seconds: Int64(index)))
    }
    return CapabilityFacts(
      decided: DecidedAtoms(definition, decisions: decisions, restricted: Set(restricted)),
      availability: availability)
  }

  /// Returns all possible situations, with decisions in every order. The simplest comes first.
  static func all(of atoms: [Atom]) -> [Situation] {
    let machines: [Availability] = [
      .available(found: ""), .missing("", remedy: ""), .undetermined("why", remedy: ""),
    ]
    var combinations = [Situation()]
    for atom in atoms {
      combinations += combinations.flatMap { before in
        [before.deciding(atom, .allow), before.deciding(atom, .deny), before.restricting(atom)]
      }
    }
    let ordered = combinations.flatMap(\.inEveryOrder)
    let simplestFirst = (0...atoms.count).flatMap { size in
      ordered.filter { $0.decided.count + $0.restricted.count == size }
    }
    return machines.flatMap { machine in simplestFirst.map { $0.on(machine) } }
  }

  private func deciding(_ atom: Atom, _ verdict: Verdict) -> Situation {
    var next = self
    next.decided.append((atom, verdict))
    return next
  }

  private func restricting(_ atom: Atom) -> Situation {
    var next = self
    next.restricted.append(atom)
    return next
  }

  private func on(_ machine: Availability) -> Situation {
    var next = self
    next.availability = machine
    return next
  }

  private var inEveryOrder: [Situation] {
    guard decided.count > 1 else { return [self] }
    return decided.indices.flatMap { first in
      var rest = self
      let ruling = rest.decided.remove(at: first)
      return rest.inEveryOrder.map { next in
        var whole = next
        whole.decided.insert(ruling, at: 0)
        return whole
      }
    }
  }
}

extension CapabilityDefinition {
  /// Groups of related atoms, in which one implies another: atoms of different groups are independent.
  var independentAtoms: [[Atom]] {
    var groups: [[Atom]] = []
    for atom in atoms {
      let related = groups.filter { group in group.contains { covers($0, atom) || covers(atom, $0) } }
      groups.removeAll { related.contains($0) }
      groups.append(related.flatMap { $0 } + [atom])
    }
    return groups
  }

  /// The groups of ``independentAtoms``. One group represents many alike, such as the types of health data.
  fileprivate var independentKinds: [(atoms: [Atom], alike: [Atom])] {
    guard !atoms.isEmpty else { return [([], [])] }
    var kinds: [(atoms: [Atom], alike: [Atom])] = []
    for group in independentAtoms {
      let kind = group.first?.kind
      if group.count == 1, let kind, let place = kinds.firstIndex(where: { $0.atoms.first?.kind == kind }) {
        kinds[place].alike += group
      } else {
        kinds.append((group, []))
      }
    }
    return kinds
  }
}

extension Atom {
  /// The text before the equals sign, for atoms such as `share=steps`.
  fileprivate var kind: Substring? { name.firstIndex(of: "=").map { name[..<$0] } }
}
