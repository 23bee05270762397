import Operations

/// The error for a part that a capability does not have, or that does not take such a value.
public struct PartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part as it was written.
  public let atom: Atom
  /// The problem in words, with the spelling that works if there is one.
  public let description: String
}

extension CapabilityDefinition {
  /// Returns the error for the first of the atoms that is none of this capability's; `nil` if all of them are. To ask for
  /// nothing is an error as well, because nothing is always allowed.
  func misfit(among atoms: Set<Atom>) -> PartError? {
    if atoms.isEmpty, !parts.isEmpty, !asksWithoutParts {
      let atom = Atom(name, "")
      return PartError(atom: atom, description: "say what of \(name) is asked for: \(knownParts)")
    }
    if atoms.allSatisfy(isFit) { return nil }
    return atoms.sorted().lazy.compactMap(misfit).first
  }

  private func isFit(_ atom: Atom) -> Bool {
    atom.capability == name && hasPart(atom.name, taking: atom.scope.kind) && atom.scope.fault == nil
  }

  private func misfit(_ atom: Atom) -> PartError? {
    if isFit(atom) { return nil }
    if let fault = atom.scope.fault { return PartError(atom: atom, description: "\(fault)") }
    let reason =
      if atom.capability != name {
        "\(atom) is not a part of \(name)"
      } else if hasPart(atom.name) {
        "\(name):\(atom.name) takes no such value"
      } else {
        "\(name) has no part \"\(atom.name)\""
      }
    let meant = atom.name.nearest(in: parts.map(\.name)).map { "did you mean \"\($0)\"?" }
    return PartError(atom: atom, description: "\(reason); \(meant ?? "it has \(knownParts)")")
  }

  private var knownParts: String { parts.map(\.name).joined(separator: ", ") }
}

/// The condition for parts that a capability does not have. It never holds, and nobody is asked.
struct MisfitCondition: OperationCondition {
  let error: PartError

  func evaluate(_ context: ConditionContext) -> ConditionResult { .failed(error, curable: false) }
}
