import PermModel

extension Wire {
  /// A capability that the user has defined.
  struct OwnCapability: Codable, Hashable, Sendable {
    var name: String
    var title: String
    var summary: String
    var severity: Severity
    var parts: [OwnPart]
    /// The names of the parts that are meant if only the capability is named.
    var defaults: [String]
    /// The path that must exist for the capability to be available; `nil` if there is none.
    var probe: String?
  }

  /// A part of a capability that the user has defined.
  struct OwnPart: Codable, Hashable, Sendable {
    var name: String
    var title: String
    var action: String
    var explanation: String
    var implies: [String]
    var severity: Severity?
    var values: Scope.Kind?
    var valueAction: String?
    var valueNoun: String?
  }
}

extension Wire.OwnCapability {
  init(_ descriptor: CapabilityDescriptor, in environment: ProbeEnvironment) {
    let definition = descriptor.definition
    self.init(
      name: definition.name, title: definition.title, summary: definition.summary,
      severity: definition.severity, parts: definition.parts.map(Wire.OwnPart.init),
      defaults: definition.defaultParts.sorted(), probe: descriptor.probedPaths(in: environment).first)
  }

  var descriptor: CapabilityDescriptor {
    let definition = CapabilityDefinition(
      name: name, title: title, summary: summary, severity: severity, parts: parts.map(\.part),
      defaultParts: Set(defaults))
    return UserCapability.descriptor(definition, probing: probe)
  }
}

extension Wire.OwnPart {
  init(_ part: CapabilityPart) {
    self.init(
      name: part.name, title: part.title, action: part.action, explanation: part.explanation,
      implies: part.implies.sorted(), severity: part.severity, values: part.values,
      valueAction: part.valueAction, valueNoun: part.valueNoun)
  }

  fileprivate var part: CapabilityPart {
    CapabilityPart(
      name, title: title, values: values, valueAction: valueAction, valueNoun: valueNoun, action: action,
      explanation: explanation, implies: Set(implies), severity: severity)
  }
}
