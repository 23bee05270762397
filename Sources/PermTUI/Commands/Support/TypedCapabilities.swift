import Machine
import PermModel

/// Capabilities as a person types them after a command, for example `files:read@~/music/`.
struct TypedCapabilities {
  /// The capabilities, each once, in the order in which they were typed.
  private(set) var references: [CapabilityReference] = []
  /// Hints about paths that mean something other than they seem to.
  private(set) var notes: [String] = []

  private let catalogue: CapabilityCatalogue
  private let home: String

  private init(_ catalogue: CapabilityCatalogue, home: String) {
    self.catalogue = catalogue
    self.home = home
  }

  /// Reads capabilities that a program asks for. A path is made absolute but keeps its links, because they have to be
  /// followed as the asking program sees them.
  ///
  /// - Throws: ``CommandError`` or `CapabilityReferenceError` if one of them is wrong or has too many values.
  init(asked texts: [String], in context: CommandContext) throws {
    self.init(context.catalogue, home: context.probes.home)
    for text in texts {
      add(try catalogue.parse(try replacingPath(in: text) { typed in typed.bytes }))
    }
    for reference in references { try Self.checkCount(of: reference) }
  }

  /// Reads capabilities about which something is decided or looked up. A path is resolved, because decisions are about
  /// resolved paths.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the name of a capability stands for all of its parts.
  ///   - resolvesPatterns: Whether patterns of other tools are read here, or refused.
  /// - Throws: ``CommandError`` or `CapabilityReferenceError` if one of them is wrong.
  init(
    decided texts: [String], isWhole: Bool, resolvesPatterns: Bool = false, in catalogue: CapabilityCatalogue,
    home: String
  ) throws {
    self.init(catalogue, home: home)
    for text in texts {
      let text = try resolvesPatterns ? catalogue.resolvingPatterns(in: text) : text
      var hints: [String] = []
      let whole = try replacingPath(in: text) { typed in
        let path = try typed.resolved()
        hints = typed.notes(resolved: path)
        return path
      }
      notes += hints
      add(try isWhole ? catalogue.parseWhole(whole) : catalogue.parse(whole))
    }
  }

  init(
    decided texts: [String], isWhole: Bool, resolvesPatterns: Bool = false, in context: CommandContext
  ) throws {
    try self.init(
      decided: texts, isWhole: isWhole, resolvesPatterns: resolvesPatterns, in: context.catalogue,
      home: context.probes.home)
  }

  /// The capabilities as references that parse to the same requirements. A reference names at most one path, host or
  /// command.
  var texts: [String] {
    references.flatMap { catalogue.texts($0) }
  }

  private mutating func add(_ reference: CapabilityReference) {
    if let index = references.firstIndex(where: { $0.capability == reference.capability }) {
      references[index].atoms.formUnion(reference.atoms)
    } else {
      references.append(reference)
    }
  }

  private static func checkCount(of reference: CapabilityReference) throws(CommandError) {
    let values = Dictionary(grouping: reference.atoms.filter { $0.scope != .any }, by: \.name)
    guard let (part, _) = values.first(where: { $1.count > CapabilityReference.mostValues }) else { return }
    throw .usage(
      "a request has at most \(CapabilityReference.mostValues) values of \(reference.capability):\(part)",
      advice: ["ask for a folder or for everything, or ask several times"])
  }

  // MARK: Paths

  /// Returns a reference with another path in place of the one that was typed. A reference without a path is returned
  /// as it is.
  private func replacingPath(in text: String, _ path: (TypedPath) throws -> [UInt8]) throws -> String {
    guard let start = startOfPath(in: text) else { return text }
    let typed = try TypedPath(text[start...], home: home)
    return text[..<start] + Scope.escaped(try path(typed))
  }

  /// Returns the position of the path in a reference; `nil` if there is none. Only parts for everything, such as
  /// `import@*`, can stand before a path.
  private func startOfPath(in text: String) -> String.Index? {
    guard let colon = text.firstIndex(of: ":"), let definition = catalogue[String(text[..<colon])]?.definition
    else { return nil }
    var rest = text[colon...].dropFirst()
    while let sign = rest.firstIndex(of: "@") {
      let name = rest[..<sign].split(separator: ",").last
      let scope = rest[sign...].dropFirst()
      if scope.hasPrefix("*,") {
        rest = scope.dropFirst(2)
        continue
      }
      let part = definition.parts.first { $0.name == name.map(String.init) }
      return part?.values == .path && scope != "*" && !scope.isEmpty ? scope.startIndex : nil
    }
    return nil
  }
}

extension TypedPath {
  /// Hints for the person who typed the path, if it is a link or a folder.
  fileprivate func notes(resolved: [UInt8]) -> [String] {
    let (typed, meant) = (Scope.escaped(plain), Scope.escaped(resolved))
    var notes = typed == meant ? [] : ["\(typed) leads to \(meant); this is about \(meant)"]
    let status = String(validating: resolved, as: UTF8.self).flatMap { FileStatus($0) }
    if !isFolder, status?.kind == .folder {
      notes.append(
        "\(meant) is a folder, and this is about the list of what is in it; write \(meant)/ for everything in it"
      )
    }
    return notes
  }
}
