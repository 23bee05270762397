/// The values that a request asks for, or that a decision covers. A value is a scope that covers a single thing.
public enum Scope: Hashable, Sendable {
  /// Every value. This is also the scope of parts that take no values.
  case any
  /// One entry of the file system. If the entry is a folder, only its list of entries is meant.
  case path(AbsolutePath)
  /// A folder and everything below it.
  case folder(AbsolutePath)
  /// A host, with one of its ports, or with every port if `port` is `nil`.
  case host(Host, port: UInt16? = nil)
  /// The hosts whose names end with this name. The host with exactly this name is not among them.
  case domain(Host)
  /// Exactly this command line.
  case command(String)
  /// The command lines that differ from this one only in what fills its holes.
  case lines(HoledLine)
  /// All command lines of a command form, such as `git status …`.
  case form(String)
  /// All command lines that consist of a command with these leading words. It can only be denied; the denial of a form
  /// means it, too.
  case start(CommandStart)
  case name(String)
  /// The names that begin with this text.
  case names(String)

  /// The kind of values that a part takes.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case path, host, command, name
  }

  /// The kind of the values; `nil` for ``any``.
  public var kind: Kind? {
    switch self {
    case .any: nil
    case .path, .folder: .path
    case .host, .domain: .host
    case .command, .lines, .form, .start: .command
    case .name, .names: .name
    }
  }

  /// Whether this scope covers a single thing, so that a program can ask for it as a value.
  public var isValue: Bool {
    switch self {
    case .path, .command, .name: true
    case .host(_, let port): port != nil
    case .any, .folder, .domain, .lines, .form, .start, .names: false
    }
  }
}

extension Scope {
  /// The scope of a denial with this scope. The denial of a form, or of a line with holes, also holds for other lines that
  /// have its leading words.
  package var denied: Scope {
    let start: CommandStart? =
      switch self {
      case .form(let form): CommandStart(CommandForm.kind(of: form))
      case .lines(let lines): lines.start
      default: nil
      }
    return start.map { .start($0) } ?? self
  }

  /// Returns the command form with this name or, if there is none, the commands with these leading words.
  package static func leading(_ text: String) throws(ScopeError) -> Scope {
    if CommandForm(named: text) != nil { return .form(text) }
    guard let start = CommandStart(text) else { throw .leadingWords(text) }
    return .start(start)
  }
}

// MARK: - Equality

extension Scope {
  /// Scopes are equal only if their bytes are. Swift's strings are equal even if a letter is composed of other
  /// characters, but such strings can name different files.
  public static func == (one: Scope, other: Scope) -> Bool {
    switch (one, other) {
    case (.any, .any): true
    case (.path(let one), .path(let other)), (.folder(let one), .folder(let other)): one == other
    case (.host(let one, let port), .host(let other, let otherPort)): one == other && port == otherPort
    case (.domain(let one), .domain(let other)): one == other
    case (.command(let one), .command(let other)), (.form(let one), .form(let other)),
      (.name(let one), .name(let other)), (.names(let one), .names(let other)):
      one.utf8.elementsEqual(other.utf8)
    case (.start(let one), .start(let other)): one == other
    case (.lines(let one), .lines(let other)): one == other
    default: false
    }
  }
}

// MARK: - Order

extension Scope {
  /// Whether this scope covers every value of another scope. This is a partial order in which ``any`` is the greatest
  /// scope.
  public func covers(_ other: Scope) -> Bool {
    if self == other { return true }
    return switch (self, other) {
    case (.any, _): true
    case (.folder(let folder), .path(let path)), (.folder(let folder), .folder(let path)):
      folder == path || folder.isAbove(path)
    case (.host(let host, nil), .host(let other, _)): host == other
    case (.domain(let domain), .host(let host, _)), (.domain(let domain), .domain(let host)):
      domain.isAbove(host)
    case (.form(let form), .command(let line)): FormLine(line)?.form.name == CommandForm.kind(of: form)
    case (.lines(let lines), .command(let line)): lines.filling(in: line) != nil
    case (.form(let form), .lines(let lines)): CommandStart(form).map(lines.begins) == true
    case (.start(let start), .lines(let lines)): lines.begins(with: start)
    case (.start(let start), .command(let line)): start.covers(line)
    case (.start(let start), .form(let form)):
      CommandStart(CommandForm.kind(of: form))?.begins(with: start) == true
    case (.start(let start), .start(let other)): other.begins(with: start)
    case (.names(let start), .name(let name)), (.names(let start), .names(let name)):
      name.utf8.starts(with: start.utf8)
    default: false
    }
  }

  /// Whether any value belongs to both scopes. Two scopes overlap only if one of them covers the other.
  package func overlaps(_ other: Scope) -> Bool { covers(other) || other.covers(self) }

  /// The scopes that cover this one: the scope itself, followed by each wider scope, with ``any`` last. Their order is
  /// the order in which decisions take precedence.
  package var candidates: [Scope] {
    switch self {
    case .any: [.any]
    case .path(let path): [self, .folder(path)] + path.parents.map { .folder($0) } + [.any]
    case .folder(let path): [self] + path.parents.map { .folder($0) } + [.any]
    case .host(let host, .some): [self, .host(host)] + Self.domains(above: host) + [.any]
    case .host(let host, nil), .domain(let host): [self] + Self.domains(above: host) + [.any]
    case .command(let line): [self] + (CommandForm(of: line).map { [.form($0.name)] } ?? []) + [.any]
    case .form(let form):
      [self] + Self.starts(ofForm: form).dropFirst(CommandForm.kind(of: form) == form ? 1 : 0) + [.any]
    case .lines(let lines): [self] + (lines.start.map(Self.starts) ?? []) + [.any]
    case .start(let start): Self.starts(of: start) + [.any]
    case .name(let name): [self] + Self.starts(of: name) + [.any]
    case .names(let start): Self.starts(of: start) + [.any]
    }
  }

  private static func starts(of start: CommandStart) -> [Scope] { start.shorter.map { .start($0) } }

  private static func starts(ofForm name: String) -> [Scope] {
    CommandStart(CommandForm.kind(of: name)).map(starts) ?? []
  }

  private static func starts(of name: String) -> [Scope] {
    let scalars = name.unicodeScalars
    return scalars.indices.reversed().map { .names(String(scalars[...$0])) }
  }

  private static func domains(above host: Host) -> [Scope] {
    guard !host.isAddress else { return [] }
    let labels = host.labels
    return (1..<max(1, labels.count - 1)).compactMap { skipped in
      (try? Host(labels[skipped...].joined(separator: "."))).map { .domain($0) }
    }
  }
}
