/// The description of a capability, independent of any requirement: its names, its parts, and the wording of
/// its alerts.
public struct CapabilityDefinition: Hashable, Sendable {
  /// The name in commands, decisions and configuration, for example `calendar`.
  public var name: String
  /// The name on the screen, for example `Calendar`.
  public var title: String
  /// The access that the capability gives, in a few plain words.
  package var summary: String
  package var severity: Severity
  /// The capability's parts, in the order in which lists show them. Empty if nothing can be requested.
  package var parts: [CapabilityPart]
  /// The names of the parts that a reference stands for if it names only the capability.
  package var defaultParts: Set<String>
  /// Whether a program can ask for no part at all, to learn only whether the capability is available.
  var asksWithoutParts = false

  /// Defines a capability.
  ///
  /// - Parameters:
  ///   - name: The name that programs ask for.
  ///   - title: The words for the capability in lists.
  ///   - summary: A sentence that says what the capability is.
  ///   - severity: The harm that a wrong allow can do.
  ///   - parts: The parts that can be asked for.
  ///   - defaultParts: The names of the parts requested if only the capability is named; by default, the first.
  public init(
    name: String, title: String, summary: String, severity: Severity = .moderate,
    parts: [CapabilityPart], defaultParts: Set<String>? = nil
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.severity = severity
    self.parts = parts
    self.defaultParts = defaultParts ?? Set(parts.prefix(1).map(\.name))
  }

  /// Defines a capability without parts, which is allowed as a whole.
  public init(
    name: String, title: String, summary: String, severity: Severity = .moderate, action: String,
    explanation: String = ""
  ) {
    let whole = CapabilityPart(Atom.whole, title: "use", action: action, explanation: explanation)
    self.init(name: name, title: title, summary: summary, severity: severity, parts: [whole])
  }
}

// MARK: Atoms

extension CapabilityDefinition {
  /// The atoms of all parts, each for all values, in the order of the parts.
  public var atoms: [Atom] { parts.map { Atom(name, $0.name) } }

  /// The atoms that are requested when only the capability is named.
  package var defaultAtoms: Set<Atom> { Set(defaultParts.map { Atom(name, $0) }) }

  /// Returns the part that an atom names; `nil` if the atom does not belong to this capability.
  package func part(of atom: Atom) -> CapabilityPart? {
    atom.capability == name ? parts.first { $0.name == atom.name } : nil
  }

  /// Whether there is a part with this name and, if a kind of values is given, whether the part takes such values. A
  /// capability without parts is a part itself.
  package func hasPart(_ name: String, taking kind: Scope.Kind? = nil) -> Bool {
    guard let part = parts.first(where: { $0.name == name }) else {
      return parts.isEmpty && name == Atom.whole && kind == nil
    }
    return kind == nil || part.values == kind
  }

  /// Whether allowing the first atom also allows the second.
  ///
  /// Every atom covers itself and all parts that its own part implies, directly or through other parts, for the values
  /// in its own scope.
  package func covers(_ wide: Atom, _ narrow: Atom) -> Bool {
    implies(wide, narrow) && wide.scope.covers(narrow.scope)
  }

  /// Whether forbidding the first atom also forbids the second. This is the case if allowing the second would
  /// also allow the first, for at least one value.
  func forbids(_ forbidden: Atom, _ atom: Atom) -> Bool {
    implies(atom, forbidden) && forbidden.scope.denied.overlaps(atom.scope)
  }

  /// Whether a denial of the first atom for everyone makes an allow of the second void.
  package func denies(_ denied: Atom, _ atom: Atom) -> Bool {
    implies(atom, denied) && denied.scope.denied.covers(atom.scope)
  }

  /// Whether the part of one atom implies the part of another. The values are not compared.
  package func implies(_ atom: Atom, _ other: Atom) -> Bool {
    atom.capability == name && other.capability == name
      && (atom.name == other.name || implies(partNamed: atom.name, other.name))
  }

  /// Whether a part implies another, directly or through other parts.
  private func implies(partNamed name: String, _ other: String) -> Bool {
    var reached = parts.first { $0.name == name }?.implies ?? []
    var open = Array(reached)
    while let next = open.popLast(), let part = parts.first(where: { $0.name == next }) {
      for name in part.implies where reached.insert(name).inserted { open.append(name) }
    }
    return reached.contains(other)
  }

  /// Returns the given atoms except for those that another given atom covers.
  package func withoutCovered(_ atoms: Set<Atom>) -> Set<Atom> {
    atoms.filter { atom in !atoms.contains { $0 != atom && covers($0, atom) } }
  }

  /// Returns the given atoms in the order of the parts.
  package func sorted(_ atoms: Set<Atom>) -> [Atom] {
    guard atoms.count > 1 else { return Array(atoms) }
    let rank = Dictionary(parts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    func position(_ atom: Atom) -> Int { rank[atom.name] ?? parts.count }
    return atoms.sorted { (position($0), $0) < (position($1), $1) }
  }
}

// MARK: Words

extension CapabilityDefinition {
  /// Returns the severity of these atoms: the highest severity of the capability or any of the atoms' parts.
  package func severity(of atoms: Set<Atom>) -> Severity {
    atoms.compactMap { part(of: $0)?.severity }.max().map { max($0, severity) } ?? severity
  }

  /// Returns the words that complete the sentence "backup asks to …", in which `backup` is the program.
  package func action(for atoms: Set<Atom>) -> String {
    let asked = withoutCovered(atoms)
    let actions = parts.compactMap { part in
      part.action(for: sorted(asked).filter { $0.capability == name && $0.name == part.name }.map(\.scope))
    }
    return actions.isEmpty ? "use \(title)" : actions.joinedInWords()
  }

  /// Returns sentences that say what access a program gets if these atoms are allowed.
  package func explanation(for atoms: Set<Atom>) -> String {
    let sentences = sorted(withoutCovered(atoms)).compactMap { part(of: $0)?.explanation }
    let spoken = sentences.filter { !$0.isEmpty }
    return spoken.isEmpty ? summary : spoken.joined(separator: " ")
  }

  /// Returns the titles of these atoms as a list, for example `read` or `share steps and read heart`.
  package func title(for atoms: Set<Atom>) -> String {
    let titles = words(for: atoms, \.title)
    return titles.isEmpty ? "nothing" : titles.joinedInWords()
  }

  private func words(for atoms: Set<Atom>, _ wording: (CapabilityPart) -> String) -> [String] {
    sorted(atoms).compactMap { atom in
      guard let part = part(of: atom) else { return nil }
      if atom.scope == .any { return wording(part) }
      return "\(part.words(beforeValueOr: wording(part))) \(atom.scope.words)"
    }
  }

  /// Returns the string with which commands refer to these atoms, for example `health:share=steps,read=heart`.
  package func reference(for atoms: Set<Atom>) -> String {
    CapabilityReference.text(name, parts: sorted(atoms).map(text))
  }

  /// Returns the reference to these atoms as people see it. It can be typed, but is not meant for programs.
  package func shownReference(for atoms: Set<Atom>) -> String {
    CapabilityReference.text(
      name,
      parts: sorted(atoms).map { atom in
        if atom.scope == .any { return text(atom) }
        return "\(atom.name)@\(atom.scope.shownText())"
      })
  }

  /// Returns strings with which commands refer to these atoms. There are several if paths, hosts or commands are among
  /// the values, because a comma within one of them is text.
  ///
  /// - Parameter isShown: Whether the strings are as people see them.
  package func references(for atoms: Set<Atom>, isShown: Bool = false) -> [String] {
    let written = isShown ? shownReference(for:) : reference(for:)
    let single = atoms.filter { $0.scope != .any && $0.scope.kind != .name }
    let listed = atoms.subtracting(single)
    return (listed.isEmpty ? [] : [written(listed)]) + sorted(single).map { written([$0]) }
  }

  /// Returns the part and the scope of an atom as commands accept them. All values of a part are written as `*`.
  func text(_ atom: Atom) -> String {
    part(of: atom)?.values == nil ? atom.text : "\(atom.name)@\(atom.scope.text)"
  }
}

extension [String] {
  /// Returns the strings as a list for a sentence: `a`, `a and b`, `a, b and c`.
  func joinedInWords() -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}
