import PermModel

/// The parts and values that a program asks for, as they arrived. Paths are kept as the program spelled them.
struct AskedValues: Hashable, Sendable {
  struct Path: Hashable, Sendable {
    var part: String
    var spelled: SpelledPath
  }

  var capability: String
  /// The parts that are asked for as a whole, or with values that are not paths.
  var others: Set<Atom> = []
  var paths: [Path] = []
  /// The protocol in which they were asked for; `nil` for the broker's own.
  var dialect: Dialect?
  /// The reason why only an answer to this very question can allow the values, in words that can follow "because";
  /// `nil` if decisions can allow them, too.
  var onceReason: String?

  /// The command lines among the values.
  var lines: [String] {
    others.compactMap { atom in
      if case .command(let line) = atom.scope { line } else { nil }
    }
  }
  /// Whether the meaning of the values can never change.
  var isFixed: Bool { paths.isEmpty && lines.isEmpty }

  init(capability: String) { self.capability = capability }

  init(_ reference: CapabilityReference) {
    self.init(capability: reference.capability)
    for atom in reference.atoms.sorted() { add(atom) }
  }

  mutating func add(_ atom: Atom) {
    if let spelled = SpelledPath(atom.scope) {
      paths.append(Path(part: atom.name, spelled: spelled))
    } else {
      others.insert(atom)
    }
  }

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
      try asked.checkDepth()
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
    try asked.checkDepth()
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

  fileprivate func checkCount() throws(BrokerError) {
    let parts = others.filter { $0.scope != .any }.map(\.name) + paths.map(\.part)
    let counts = Dictionary(grouping: parts) { $0 }.values.map(\.count)
    if counts.contains(where: { $0 > CapabilityReference.mostValues }) {
      throw CapabilityCatalogue.tooManyValues
    }
  }

  /// The greatest number of parts of all paths together. Each part is a folder for which decisions are looked up.
  static let mostParts = 2048

  func checkDepth() throws(BrokerError) { try Self.checkDepth(of: paths.map(\.spelled.bytes)) }

  static func checkDepth(of paths: [[UInt8]]) throws(BrokerError) {
    let parts = paths.map { $0.count { $0 == UInt8(ascii: "/") } }.reduce(0, +)
    guard parts > mostParts else { return }
    throw .invalid(
      parameter: "values", reason: "the paths have \(parts) parts; at most \(mostParts) are allowed")
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
