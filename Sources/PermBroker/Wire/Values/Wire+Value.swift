import PermModel

extension Wire {
  /// A part of a capability, together with the values for which it is requested or decided.
  struct Value: Codable, Hashable, Sendable {
    var part: String
    var scope: ScopeFields
  }
}

extension Set<Atom> {
  /// Creates the atoms of one capability.
  ///
  /// - Parameters:
  ///   - parts: The names of the parts that are meant for all values. Earlier clients write a container into the name.
  ///   - values: The parts that are meant for some values only.
  /// - Throws: ``BrokerError/invalid(parameter:reason:)`` if a value is malformed.
  init(_ capability: String, parts: [String], values: [Wire.Value]?) throws(BrokerError) {
    self = []
    for part in parts {
      let atom = Atom(capability, written: part)
      // A container is a name, for which the rules of all other names hold.
      if atom.scope != .any { _ = try ScopeFields(atom.scope).checked() }
      insert(atom)
    }
    for value in values ?? [] { insert(Atom(capability, value.part, try value.scope.checked())) }
  }

  /// The names of the parts that are meant for all values.
  var wholeParts: [String] { filter { $0.scope == .any }.map(\.name).sorted() }

  /// The parts that are meant for some values only; `nil` if there are none.
  var wireValues: [Wire.Value]? {
    let some = filter { $0.scope != .any }.sorted()
    return some.isEmpty ? nil : some.map { Wire.Value(part: $0.name, scope: ScopeFields($0.scope)) }
  }
}

extension ScopeFields {
  /// Returns the scope, or throws an error for the sender of the fields.
  func checked() throws(BrokerError) -> Scope {
    do {
      return try scope()
    } catch {
      throw .invalid(parameter: "scope", reason: "\(error)")
    }
  }
}
