import PermModel

/// A question of a Deno process in PermTUI's vocabulary.
enum DenoWish: Hashable, Sendable {
  case values(AskedValues)
  /// Whether every command is allowed. Deno asks this first, and then for the command by name.
  case everyCommand
  /// A temporary file. Deno does not tell its folder, and asks in the same way for a file that has this name.
  case temporaryFile(named: SpelledPath)

  /// - Throws: ``DenoRefusal`` if the kind of permission is not known, or if the value is over its limits.
  init(_ question: DenoQuestion) throws(DenoRefusal) {
    let value = question.value
    switch question.permission {
    case "read": self = try .values(Self.files("files", "read", value))
    case "write" where value == Self.temporary: self = .temporaryFile(named: try Self.path(Self.temporary))
    case "write": self = try .values(Self.files("files", "write", value))
    case "ffi": self = try .values(Self.files("code", "load", value))
    case "net": self = try Self.network(value)
    case "import": self = try .values(Self.values("code", "import", value, Self.host))
    case "env": self = try .values(Self.values("environment", "read", value, Self.name))
    case "sys": self = try .values(Self.values("system", "look", value, Self.name))
    case "run": self = try Self.command(value)
    default:
      throw DenoRefusal("PermTUI does not know the permission \(VisibleText.brief(question.permission))")
    }
  }

  /// The value in place of the path of a temporary file.
  private static let temporary = "<TMP>"

  // MARK: Kinds

  private static func values(
    _ capability: String, _ part: String, _ value: String?,
    _ scope: (String) throws(DenoRefusal) -> Scope
  ) throws(DenoRefusal) -> AskedValues {
    var asked = AskedValues(dialect: .deno, capability)
    let scope = if let value { try scope(value) } else { Scope.any }
    asked.others = [Atom(capability, part, scope)]
    return asked
  }

  private static func files(
    _ capability: String, _ part: String, _ value: String?
  ) throws(DenoRefusal) -> AskedValues {
    guard let value else { return try values(capability, part, nil, name) }
    return try AskedValues(dialect: .deno, capability, part, [path(value)])
  }

  private static func network(_ value: String?) throws(DenoRefusal) -> DenoWish {
    let socket = "unix:"
    if let value, value.hasPrefix(socket) {
      return .values(try Self.socket(String(value.dropFirst(socket.count))))
    }
    return .values(try values("network", "connect", value, host))
  }

  /// Returns the question for a connection to a socket in the file system. A program that may write to a
  /// folder must not, for that reason alone, talk to the programs that listen in it.
  private static func socket(_ text: String) throws(DenoRefusal) -> AskedValues {
    var asked = AskedValues(dialect: .deno, "files", "write", [try path(text)])
    asked.onceReason = "it is a connection to the program behind a socket"
    return asked
  }

  private static func command(_ value: String?) throws(DenoRefusal) -> DenoWish {
    guard let program = value else { return .everyCommand }
    guard let first = program.utf8.first else { throw DenoRefusal("the name of the program is empty") }
    try refuseUpwards(program)
    let slash = UInt8(ascii: "/")
    guard first == slash || !program.utf8.contains(slash) else {
      throw DenoRefusal(
        "Deno does not say in which folder \(VisibleText.brief(program)) is; write its whole path")
    }
    var asked = try values("commands", "run", program) { program throws(DenoRefusal) in
      try checked(ScopeFields(.command(ShellLine(word: program).text)))
    }
    let name = program.utf8.split(separator: slash).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    if ShellLine.isWrapper(name) || Interpreter.named(name) != nil {
      asked.onceReason = "it can run every other program"
    }
    return .values(asked)
  }

  // MARK: Values

  static func path(_ text: String) throws(DenoRefusal) -> SpelledPath {
    try refuseUpwards(text)
    do {
      return try SpelledPath(Array(text.utf8), isFolder: false)
    } catch {
      throw DenoRefusal("the path cannot be asked about: \(error)")
    }
  }

  /// Throws an error if a part of a path is `..`. Deno removes it together with the part before, even if that is a
  /// link, so it opens a different file than the system would.
  private static func refuseUpwards(_ path: String) throws(DenoRefusal) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw DenoRefusal("the path has .. parts; write it without them")
    }
  }

  private static func name(_ text: String) throws(DenoRefusal) -> Scope {
    try checked(ScopeFields(.name(text)))
  }

  /// Reads a host with its port. Port 0 stands for any free port.
  private static func host(_ text: String) throws(DenoRefusal) -> Scope {
    let text = text.hasSuffix(":0") ? String(text.dropLast(2)) : text
    do {
      let scope = try Scope(text, kind: .host)
      if case .host = scope, !text.contains("//") { return scope }
    } catch {
      throw DenoRefusal("the host cannot be asked about: \(error)")
    }
    throw DenoRefusal("PermTUI does not know the host \(VisibleText.brief(text))")
  }

  private static func checked(_ fields: ScopeFields) throws(DenoRefusal) -> Scope {
    do {
      return try fields.scope()
    } catch {
      throw DenoRefusal("the value cannot be asked about: \(error)")
    }
  }
}

extension AskedValues {
  fileprivate init(dialect: Dialect, _ capability: String) {
    self.init(capability: capability)
    self.dialect = dialect
  }

  /// Creates a question of a Deno process about paths.
  init(dialect: Dialect, _ capability: String, _ part: String, _ paths: [SpelledPath]) {
    self.init(dialect: dialect, capability)
    self.paths = paths.map { Path(part: part, spelled: $0) }
  }
}
