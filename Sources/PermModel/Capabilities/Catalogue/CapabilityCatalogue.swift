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

  /// The capabilities that the user has defined.
  package var own: [CapabilityDescriptor] { capabilities.filter { Self.builtIn[$0.definition.name] == nil } }

  /// The capability with this name; `nil` if there is none.
  public subscript(name: String) -> CapabilityDescriptor? { byName[name] }

  /// Returns a copy with more capabilities added at the end.
  public func adding(_ more: [CapabilityDescriptor]) -> CapabilityCatalogue {
    CapabilityCatalogue(capabilities + more)
  }

  /// The capabilities that every installation has.
  public static let builtIn = CapabilityCatalogue(
    [
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
      CapabilityDescriptor(Capability.Files.self),
      CapabilityDescriptor(Capability.Network.self),
      CapabilityDescriptor(Capability.Commands.self),
      CapabilityDescriptor(Capability.Environment.self),
      CapabilityDescriptor(Capability.Keys.self),
      CapabilityDescriptor(Capability.Tools.self),
      CapabilityDescriptor(Capability.System.self),
      CapabilityDescriptor(Capability.Code.self),
    ])
}

// MARK: Parsing

extension CapabilityCatalogue {
  /// Returns the capability that a text names, as commands write it: `files:read@/srv/music/`, `calendar:reminders`.
  ///
  /// - Throws: ``CapabilityReferenceError``, which says what would work.
  public func capability(_ text: String) throws(CapabilityReferenceError) -> AnyCapability {
    do throws(CapabilityReferenceError) {
      let reference = try parse(try resolvingPatterns(in: text))
      guard let found = self[reference.capability] else {
        throw .unknownCapability(reference.capability, suggestion: nil)
      }
      return AnyCapability(found, asking: reference.atoms)
    } catch .wrongValue(.notAbsolute, let text) {
      let path = text.split(separator: "@", maxSplits: 1).last.map(String.init) ?? text
      throw .wrongValue(.relative(path: path, meant: Scope.whole(path)), in: text)
    }
  }

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
      if let part = definition.usualPartThatNeedsValue { throw definition.valueMissing(text, part) }
      guard definition.parts.isEmpty || !definition.defaultParts.isEmpty else {
        let example = definition.parts.first.map { "\(name):\($0.name)" } ?? name
        throw .partMissing(of: name, example: example)
      }
      return CapabilityReference(capability: name, atoms: definition.defaultAtoms)
    }
    guard !definition.parts.isEmpty else { throw .noParts(of: name) }
    var atoms: Set<Atom> = []
    var rest: Substring? = pieces[1]
    while rest != nil { atoms.insert(try definition.takeAtom(&rest, in: text)) }
    return CapabilityReference(capability: name, atoms: atoms)
  }
}

extension CapabilityCatalogue {
  /// Returns the text of a reference with each value as it is read here, if it is written as another tool would.
  ///
  /// - Throws: ``CapabilityReferenceError/wrongValue(_:in:)`` if a value is a pattern that has no meaning here.
  package func resolvingPatterns(in text: String) throws(CapabilityReferenceError) -> String {
    guard let colon = text.firstIndex(of: ":"), let definition = self[String(text[..<colon])]?.definition
    else { return text }
    var resolved = text[...colon]
    var rest: Substring? = text[colon...].dropFirst()
    while let list = rest {
      let end = list.firstIndex { $0 == "," || $0 == "@" } ?? list.endIndex
      let part = definition.parts.first { $0.name == String(list[..<end].trimmed) }
      guard list[end...].first == "@", let kind = part?.values else { return String(resolved + list) }
      rest = list[end...].dropFirst()
      let value = String(definition.takeScope(&rest, kind))
      do throws(ScopeError) {
        resolved += list[...end] + (try ForeignPattern.resolved(value, kind: kind)) + (rest == nil ? "" : ",")
      } catch {
        throw .wrongValue(error, in: text)
      }
    }
    return String(resolved)
  }
}

extension CapabilityDefinition {
  /// Reads one part, with its scope if it takes values; `nil` if the text names no part of this capability.
  package func atom(_ text: String) -> Atom? {
    var rest: Substring? = text[...]
    let atom = try? takeAtom(&rest, in: text)
    return rest == nil ? atom : nil
  }

  /// Takes the first part, with its scope if it takes values, from a list of parts. Sets the list to `nil` if it has no
  /// further part.
  fileprivate func takeAtom(
    _ list: inout Substring?, in text: String
  ) throws(CapabilityReferenceError) -> Atom {
    let rest = list ?? ""
    let end = rest.firstIndex { $0 == "," || $0 == "@" } ?? rest.endIndex
    let part = try self.part(named: String(rest[..<end].trimmed), in: text)
    list = rest[end...].isEmpty ? nil : rest[end...].dropFirst()
    guard rest[end...].first == "@" else {
      guard !part.needsValue else { throw valueMissing("\(name):\(part.name)", part) }
      return Atom(name, part.name)
    }
    guard let kind = part.values else { throw .noValues(of: "\(name):\(part.name)") }
    let scope = takeScope(&list, kind)
    guard !scope.isEmpty else { throw .emptyPart(in: text) }
    do {
      return Atom(name, part.name, try Scope(scope, kind: kind))
    } catch {
      throw .wrongValue(error, in: text)
    }
  }

  /// The first part that is meant if only the capability is named, and that can only be named together with a value.
  fileprivate var usualPartThatNeedsValue: CapabilityPart? {
    parts.first { $0.needsValue && (defaultParts.isEmpty || defaultParts.contains($0.name)) }
  }

  fileprivate func valueMissing(_ text: String, _ part: CapabilityPart) -> CapabilityReferenceError {
    let reference = "\(name):\(part.name)"
    return .valueMissing(
      of: text, example: "\(reference)@\(part.exampleValue)", everything: "\(reference)@*",
      action: part.action)
  }

  /// Takes a scope from a list of parts. Only a name, or the asterisk for everything, ends at a comma; in paths, hosts
  /// and commands, a comma is text.
  fileprivate func takeScope(_ list: inout Substring?, _ kind: Scope.Kind) -> Substring {
    let rest = list ?? ""
    let endsAtComma = kind == .name || (kind != .command && rest.hasPrefix("*,"))
    guard endsAtComma, let end = rest.firstUnescapedComma else {
      list = nil
      return kind == .name ? rest.trimmed : rest
    }
    list = rest[end...].dropFirst()
    return rest[..<end].trimmed
  }

  private func part(named part: String, in text: String) throws(CapabilityReferenceError) -> CapabilityPart {
    guard !part.isEmpty else { throw .emptyPart(in: text) }
    let known = parts.map(\.name)
    guard let found = parts.first(where: { $0.name == part }) else {
      throw .unknownPart(part, of: name, suggestion: part.nearest(in: known), known: known)
    }
    return found
  }
}

extension CapabilityPart {
  /// A value for error messages.
  fileprivate var exampleValue: String {
    switch values {
    case .path: "/srv/music/"
    case .host: "example.org:443"
    case .command: "git status"
    case .name, nil: "name"
    }
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
    return .filled { send in
      var last: [String: Availability]?
      for await _ in PathWatches.shared.changes(of: paths) {
        let found = await availabilities(in: environment)
        if Task.isCancelled { break }
        if found != last { send(found) }
        last = found
      }
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
