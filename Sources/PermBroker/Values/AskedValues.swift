import PermModel

// The parts and values that a call asks for.

extension AskedValues {
  /// Adds a value as it arrived.
  fileprivate mutating func add(_ value: Wire.Value) throws(ScopeError) {
    if let spelled = try value.scope.spelledPath() {
      paths.append(Path(part: value.part, spelled: spelled))
    } else {
      add(Atom(capability, value.part, try value.scope.scope()))
    }
  }
}

extension CapabilityCatalogue {
  /// Returns the parts and values that a call asks for.
  ///
  /// - Parameter text: The name of the capability if there are parts or values; otherwise, a reference with its parts.
  func asked(
    _ text: String, parts: [String]?, values: [Wire.Value]?
  ) throws(BrokerError) -> AskedValues {
    try Self.refuseValues(inParts: parts)
    guard values != nil || parts?.isEmpty == false else {
      try Self.refuseValues(inText: text)
      let asked = AskedValues(try reference(text))
      try asked.checkCount()
      try asked.checkCosts()
      return asked
    }
    let values = values ?? []
    let definition = try definition(named: text)
    guard !values.isEmpty || parts?.isEmpty == false else { throw Self.tooManyValues }
    var asked = AskedValues(capability: text)
    asked.others = try Set(text, parts: parts ?? [], values: nil)
    do throws(ScopeError) {
      for value in values { try asked.add(value) }
    } catch {
      throw .invalid(parameter: "values", reason: "\(error)")
    }
    try asked.checkCount()
    try asked.check(definition)
    try asked.checkCosts()
    return asked
  }

  /// Throws an error if a text names values. In a text, a value can mean a wider scope: a path with a slash at its end,
  /// for example, is a folder.
  static func refuseValues(inText text: String) throws(BrokerError) {
    guard text.contains("@") else { return }
    throw .invalid(parameter: "capability", reason: "put each value into the field values instead")
  }

  /// Throws an error if the name of a part has a value in it, as containers had in version 0.1.0.
  static func refuseValues(inParts parts: [String]?) throws(BrokerError) {
    guard parts?.contains(where: { $0.contains("@") }) == true else { return }
    throw .invalid(parameter: "parts", reason: "values do not belong here, but in the field values")
  }

  /// Returns the capability that a call names beside parts and values.
  func definition(named name: String) throws(BrokerError) -> CapabilityDefinition {
    if let definition = self[name]?.definition { return definition }
    _ = try reference(name)
    throw .invalid(
      parameter: "capability", reason: "beside parts and values, write only the name of the capability")
  }

  fileprivate static let tooManyValues = BrokerError.invalid(
    parameter: "values", reason: "give 1 to \(CapabilityReference.mostValues) values of a part")
}

extension AskedValues {
  /// Throws an error if the capability has no such parts, or if a value is not of its part's kind.
  fileprivate func check(_ definition: CapabilityDefinition) throws(BrokerError) {
    for atom in others { try definition.check(atom, taking: atom.scope.kind) }
    for path in paths { try definition.check(Atom(capability, path.part), taking: .path) }
  }

  fileprivate func checkCosts() throws(BrokerError) {
    do throws(LookupRefused) { try checkDepth() } catch { throw BrokerError(error) }
  }

  fileprivate func checkCount() throws(BrokerError) {
    let parts = others.filter { $0.scope != .any }.map(\.name) + paths.map(\.part)
    let counts = Dictionary(grouping: parts) { $0 }.values.map(\.count)
    if counts.contains(where: { $0 > CapabilityReference.mostValues }) {
      throw CapabilityCatalogue.tooManyValues
    }
  }
}

extension CapabilityDefinition {
  /// Throws an error if there is no such part, or if it takes no values of this kind.
  func check(_ atom: Atom, taking kind: Scope.Kind?) throws(BrokerError) {
    guard !hasPart(atom.name, taking: kind) else { return }
    throw .invalid(
      parameter: "values", reason: "\(atom) is not a part of \(name), or not a value of its kind")
  }
}
