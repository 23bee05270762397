import Machine

/// All known capabilities: the built-in ones and the user's.
public struct CapabilityCatalogue: Sendable {
  /// The capabilities in the order of lists.
  public let capabilities: [CapabilityDescriptor]
  private let byName: [String: CapabilityDescriptor]

  /// Collects capabilities; if several have the same name, the first one counts.
  package init(_ capabilities: [CapabilityDescriptor]) {
    var names: Set<String> = []
    self.capabilities = capabilities.filter { names.insert($0.definition.name).inserted }
    byName = Dictionary(uniqueKeysWithValues: self.capabilities.map { ($0.definition.name, $0) })
  }

  /// The capability of this name.
  public subscript(name: String) -> CapabilityDescriptor? { byName[name] }

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

extension CapabilityCatalogue {
  /// Returns the availability of every capability by its name, now and whenever something that a probe looks at
  /// changes.
  ///
  /// Probes run at the same time, off the caller's task. The sequence ends when its consumer does.
  package func availabilityUpdates(
    in environment: ProbeEnvironment
  ) -> AsyncStream<[String: Availability]> {
    let paths = capabilities.flatMap { $0.probedPaths(in: environment) }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task.quiet {
        var last: [String: Availability]?
        for await _ in PathWatches.shared.changes(of: paths) {
          let found = await availabilities(in: environment)
          if Task.isCancelled { break }
          if found != last { continuation.yield(found) }
          last = found
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns the availability of every capability by its name. All probes run at the same time.
  package func availabilities(in environment: ProbeEnvironment) async -> [String: Availability] {
    await withTaskGroup(of: (String, Availability).self) { group in
      for capability in capabilities {
        group.addTask {
          (capability.definition.name, await capability.availability(in: environment))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
