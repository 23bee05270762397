/// The restrictions that the machine's owner has set. They apply no matter what the person answers. Everything that
/// they forbid has the status *restricted*.
package struct MachinePolicy: Hashable, Sendable {
  /// A rule that forbids one capability, or some of its parts, to some or all programs.
  package struct Restriction: Hashable, Sendable {
    package var capability: String
    /// The forbidden parts, each with a scope if only some values are forbidden; `nil` to forbid the whole capability.
    /// An empty set, or a set with an unknown name, is treated as a mistake: it forbids the whole capability.
    package var parts: Set<String>?
    /// The paths of the programs that the restriction applies to; `nil` for all programs.
    package var programs: Set<String>?

    package init(capability: String, parts: Set<String>? = nil, programs: Set<String>? = nil) {
      self.capability = capability
      self.parts = parts
      self.programs = programs
    }
  }

  package var restrictions: [Restriction]

  package init(_ restrictions: [Restriction]) { self.restrictions = restrictions }

  package static let none = MachinePolicy([])

  /// Returns the atoms of a capability that are forbidden to a program.
  ///
  /// A program whose file is unknown could be any program. Therefore restrictions on particular programs also
  /// apply to it.
  package func restricted(for subject: Subject, _ definition: CapabilityDefinition) -> Set<Atom> {
    let applying = restrictions.filter { restriction in
      guard restriction.capability == definition.name else { return false }
      guard let programs = restriction.programs, let path = subject.path else { return true }
      return programs.contains(path)
    }
    return Set(applying.flatMap { $0.atoms(of: definition) })
  }
}

extension MachinePolicy {
  /// Whether all values of an atom are forbidden to a program, so that allowing it would have no effect. Restrictions on
  /// particular programs are not taken to apply to a program whose file is not known yet.
  package func forbids(_ atom: Atom, to subject: Subject, _ definition: CapabilityDefinition) -> Bool {
    var policy = self
    if subject.path == nil { policy.restrictions.removeAll { $0.programs != nil } }
    return policy.restricted(for: subject, definition).contains {
      definition.implies(atom, $0) && $0.scope.denied.covers(atom.scope)
    }
  }
}

extension MachinePolicy.Restriction {
  fileprivate func atoms(of definition: CapabilityDefinition) -> [Atom] {
    let named = (parts ?? []).map(definition.restrictedAtom)
    return named.isEmpty || named.contains(nil) ? definition.atoms : named.compactMap(\.self)
  }
}

extension CapabilityDefinition {
  /// Returns the atom that an entry of a policy forbids; `nil` if the entry does not name a part of this capability. A
  /// part without a scope is forbidden for all values.
  func restrictedAtom(_ text: String) -> Atom? {
    part(of: Atom(name, text)).map { Atom(name, $0.name) } ?? atom(text)
  }
}
