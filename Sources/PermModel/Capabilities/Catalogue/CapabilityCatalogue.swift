import Machine

/// All existing capabilities: the built-in ones and those that the user has configured.
public struct CapabilityCatalogue: Sendable {
  /// The capabilities, in the order in which lists show them.
  public let capabilities: [CapabilityDescriptor]
  private let byName: [String: CapabilityDescriptor]

  /// Creates a catalogue. If several capabilities have the same name, only the first one is included.
  package init(_ capabilities: [CapabilityDescriptor]) {
    var names: Set<String> = []
    self.capabilities = capabilities.filter { names.insert($0.definition.name).inserted }
    byName = Dictionary(uniqueKeysWithValues: self.capabilities.map { ($0.definition.name, $0) })
  }

  /// The capability with this name; `nil` if there is none.
  public subscript(name: String) -> CapabilityDescriptor? { byName[name] }

  /// Returns a copy with more capabilities added at the end.
  public func adding(_ more: [CapabilityDescriptor]) -> CapabilityCatalogue {
    CapabilityCatalogue(capabilities + more)
  }

  /// The capabilities that every installation has.
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
  /// Parses a reference such as `photos`, `calendar:reminders` or `health:share=steps,read=heart`.
  ///
  /// A name without parts stands for the capability's default parts.
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
  /// Returns the atom for a part, including the container if one is named.
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
  /// Returns a stream whose elements contain the availability of every capability, keyed by the capability's name. The
  /// first element is the current state. Another element follows whenever a change to the probed files and folders
  /// affects an availability.
  ///
  /// The probes run concurrently, outside the caller's task. Probing stops when the consumer of the stream goes away.
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

  /// Returns the availability of every capability, keyed by the capability's name. All probes run concurrently.
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
