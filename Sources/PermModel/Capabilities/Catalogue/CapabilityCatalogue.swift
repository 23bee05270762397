/// All known capabilities: the built-in ones and the user's.
public struct CapabilityCatalogue: Sendable {
  /// The capabilities in the order of lists.
  public let capabilities: [CapabilityDescriptor]
  private let byName: [String: Int]

  /// Collects capabilities; if several have the same name, the first one counts.
  package init(_ capabilities: [CapabilityDescriptor]) {
    var names: [String: Int] = [:]
    var kept: [CapabilityDescriptor] = []
    for capability in capabilities where names[capability.definition.name] == nil {
      names[capability.definition.name] = kept.count
      kept.append(capability)
    }
    self.capabilities = kept
    self.byName = names
  }

  /// The capability of this name.
  public subscript(name: String) -> CapabilityDescriptor? { byName[name].map { capabilities[$0] } }

  /// Returns the catalogue with more capabilities at the end.
  public func adding(_ more: [CapabilityDescriptor]) -> CapabilityCatalogue {
    CapabilityCatalogue(capabilities + more)
  }

  /// The capabilities of every installation.
  public static let builtIn = CapabilityCatalogue([
    CapabilityDescriptor(Capability.Calendar.self),
    CapabilityDescriptor(Capability.Camera.self),
    CapabilityDescriptor(Capability.Cloud.self),
    CapabilityDescriptor(Capability.Contacts.self),
    CapabilityDescriptor(Capability.Health.self),
    CapabilityDescriptor(Capability.Location.self),
    CapabilityDescriptor(Capability.Microphone.self),
    CapabilityDescriptor(Capability.Notifications.self),
    CapabilityDescriptor(Capability.Passbook.self),
    CapabilityDescriptor(Capability.Photos.self),
  ])
}

// MARK: Parsing

extension CapabilityCatalogue {
  /// Reads `photos`, `calendar:reminders` or `health:share=steps,read=heart`.
  ///
  /// The bare name asks for the capability's default parts.
  package func parse(_ text: String) throws(CapabilityReferenceError) -> CapabilityReference {
    let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(pieces.first ?? "")
    guard let definition = self[name]?.definition else {
      let suggestion = name.nearest(in: capabilities.map(\.definition.name))
      throw .unknownCapability(name, suggestion: suggestion)
    }
    guard pieces.count == 2 else {
      guard definition.parts.isEmpty || !definition.defaultParts.isEmpty else {
        let example = definition.parts.first.map { "\(name):\($0.name)" } ?? name
        throw .partMissing(of: name, example: example)
      }
      return CapabilityReference(capability: name, atoms: definition.defaultAtoms)
    }
    guard !definition.parts.isEmpty else { throw .noParts(of: name) }
    var atoms: Set<Atom> = []
    for part in pieces[1].split(separator: ",", omittingEmptySubsequences: false) {
      atoms.insert(try definition.atom(named: String(part.trimmed), in: text))
    }
    return CapabilityReference(capability: name, atoms: atoms)
  }
}

extension CapabilityDefinition {
  /// Returns the atom of a part, with its container if one is named.
  fileprivate func atom(named part: String, in text: String) throws(CapabilityReferenceError) -> Atom {
    let reference = PartReference(part, splitting: takesContainers)
    guard !reference.part.isEmpty, reference.container?.isEmpty != true else {
      throw .emptyPart(in: text)
    }
    let known = parts.map(\.name)
    guard known.contains(reference.part) else {
      let suggestion = reference.part.nearest(in: known)
      throw .unknownPart(reference.part, of: name, suggestion: suggestion, known: known)
    }
    return Atom(name, part)
  }
}
