/// The parts and values that a program asks for, as they arrived. Paths are kept as the program spelled them.
package struct AskedValues: Hashable, Sendable {
  package struct Path: Hashable, Sendable {
    package var part: String
    package var spelled: SpelledPath

    package init(part: String, spelled: SpelledPath) {
      self.part = part
      self.spelled = spelled
    }
  }

  package var capability: String
  /// The parts that are asked for as a whole, or with values that are not paths.
  package var others: Set<Atom> = []
  package var paths: [Path] = []
  /// The protocol in which they were asked for; `nil` for the broker's own.
  package var dialect: Dialect?
  /// The reason why only an answer to this very question can allow the values, in words that can follow "because";
  /// `nil` if decisions can allow them, too.
  package var onceReason: String?

  /// The command lines among the values.
  package var lines: [String] {
    others.compactMap { atom in
      if case .command(let line) = atom.scope { line } else { nil }
    }
  }
  /// Whether the meaning of the values can never change.
  package var isFixed: Bool { paths.isEmpty && !others.contains { $0.scope.kind == .command } }

  package init(capability: String) { self.capability = capability }

  /// Returns the values with relative paths that lead from a folder.
  func leading(from folder: String) throws(ScopeError) -> AskedValues {
    var copy = self
    copy.paths = try paths.map { path throws(ScopeError) in
      let spelled = path.spelled
      guard spelled.bytes.first != UInt8(ascii: "/") else { return path }
      let bytes = Array("\(folder)/".utf8) + spelled.bytes
      return Path(part: path.part, spelled: try SpelledPath(bytes, isFolder: spelled.isFolder))
    }
    return copy
  }

  /// Whether each line runs all that it runs in a folder that it names itself, so that it means the same wherever a shell
  /// begins with it.
  var linesNameFolders: Bool {
    !lines.isEmpty && lines.allSatisfy { ShellLine($0).inFolder?.folder.hasPrefix("/") == true }
  }

  package init(_ reference: CapabilityReference) {
    self.init(capability: reference.capability)
    for atom in reference.atoms.sorted() { add(atom) }
  }

  package init(_ request: Request) {
    self.init(CapabilityReference(capability: request.capability, atoms: request.atoms))
  }

  package mutating func add(_ atom: Atom) {
    if let spelled = SpelledPath(atom.scope) {
      paths.append(Path(part: atom.name, spelled: spelled))
    } else {
      others.insert(atom)
    }
  }
}

// MARK: - Checks

extension AskedValues {
  /// Checks that no line with holes is asked for. Only a person decides what may vary in a line.
  func checkLines() throws(LookupRefused) {
    guard others.contains(where: { if case .lines = $0.scope { true } else { false } }) else { return }
    throw .unfit(reason: "a program asks for a whole line, without holes; write \\{ for a brace")
  }
}

// MARK: - Costs

extension AskedValues {
  /// The greatest number of parts of all paths together. Each part is a folder for which decisions are looked up.
  static let mostParts = 2048

  /// Checks that looking the paths up does not cost too much.
  package func checkDepth() throws(LookupRefused) { try Self.checkDepth(of: paths.map(\.spelled.bytes)) }

  static func checkDepth(of paths: [[UInt8]]) throws(LookupRefused) {
    let parts = paths.map { $0.count { $0 == UInt8(ascii: "/") } }.reduce(0, +)
    guard parts > mostParts else { return }
    throw .unfit(reason: "the paths have \(parts) parts; at most \(mostParts) are allowed")
  }
}
