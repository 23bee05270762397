/// The keys and values of a settings file of git, read by the strictest rules.
struct GitSettings: Hashable, Sendable {
  /// The values by key. The parts of a key are separated by NUL: the section, the name of a subsection if there is one, and
  /// the name. Section and name are in lower case.
  private var values: [[String]: [String]] = [:]

  /// Reads a text; `nil` if a line of it could mean something else to git.
  init?(_ text: String) {
    var section: [String] = []
    // Only a line feed ends a line; a backslash at its end would continue it.
    for line in text.unicodeScalars.split(separator: "\n") {
      var rest = Substring(line).trimmed
      if rest.first == "[" {
        guard let close = rest.firstIndex(of: "]"),
          let found = Self.section(rest[rest.index(after: rest.startIndex)..<close])
        else { return nil }
        section = found
        rest = rest[rest.index(after: close)...].trimmed
      }
      if rest.isEmpty || rest.first == "#" || rest.first == ";" { continue }
      guard let (name, value) = Self.entry(rest), !section.isEmpty else { return nil }
      values[section + [name], default: []].append(value)
    }
  }

  private static func section(_ text: Substring) -> [String]? {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, isName(name) else { return nil }
    guard parts.count > 1 else { return [name.lowercased()] }
    let quoted = parts[1].trimmed
    guard quoted.utf8.count > 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
    let sub = quoted.dropFirst().dropLast()
    return sub.contains { "\"\\".contains($0) } ? nil : [name.lowercased(), String(sub)]
  }

  private static func entry(_ text: Substring) -> (String, String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first?.trimmed, isName(name) else { return nil }
    guard parts.count > 1 else { return (name.lowercased(), "true") }
    let value = parts[1].trimmed
    return value.contains { "\\\"#;".contains($0) }
      ? plain(value).map { (name.lowercased(), $0) } : (name.lowercased(), String(value))
  }

  /// The value in quotation marks; `nil` if it has other signs of the kind.
  private static func plain(_ value: Substring) -> String? {
    guard value.utf8.count > 1, value.first == "\"", value.last == "\"" else { return nil }
    let inner = value.dropFirst().dropLast()
    return inner.contains { "\"\\".contains($0) } ? nil : String(inner)
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isNameByte && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }

  // MARK: What the keys mean

  /// Returns a key that could make git run a program, or use other files, in words; `nil` if there is none.
  ///
  /// - Parameter isOfRepository: Whether the file lies in the repository, and is not the person's or the machine's.
  func firstHarmful(isOfRepository: Bool, whenSending: Bool) -> String? {
    let harmful = values.keys.filter { key in
      guard !Self.isHarmless(key, isOfRepository) else { return Self.isOdd(key, values[key] ?? []) }
      // Without a remote that is asked, nobody needs a password or another address.
      let isAboutRemotes = key.first == "credential" || key.first == "url" && !whenSending
      return isOfRepository || !isAboutRemotes
    }
    return harmful.map { $0.joined(separator: ".") }.min()
  }

  private static func isHarmless(_ key: [String], _ isOfRepository: Bool) -> Bool {
    guard key.count == 2 else {
      guard isOfRepository, key.count == 3, let names = perName[key[0]] else { return false }
      return names.contains(key[2])
    }
    return wholeSections.contains(key[0]) || names[key[0]]?.contains(key[1]) == true
  }

  /// Whether a value changes which files belong to the repository.
  private static func isOdd(_ key: [String], _ given: [String]) -> Bool {
    switch key {
    case ["core", "bare"]: given != ["false"]
    case ["core", "repositoryformatversion"]: given != ["0"]
    default: false
    }
  }

  private static let wholeSections: Set<String> = ["user", "color", "advice", "alias", "safe", "init"]

  private static let names: [String: Set<String>] = [
    "core": [
      "repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode",
      "symlinks",
      "autocrlf", "eol", "safecrlf", "quotepath", "abbrev", "compression", "untrackedcache", "preloadindex",
      "excludesfile", "whitespace", "trustctime", "checkstat",
    ],
    "pull": ["rebase", "ff"], "push": ["default", "autosetupremote"], "fetch": ["prune"],
    "merge": ["ff", "conflictstyle"],
    "rebase": ["autostash", "autosquash"], "rerere": ["enabled"], "column": ["ui", "branch"],
    "index": ["version"],
    "log": ["date", "decorate", "abbrevcommit"], "status": ["short", "branch", "showuntrackedfiles"],
    "diff": ["algorithm", "renames", "renamelimit", "mnemonicprefix", "colormoved", "context", "noprefix"],
    "branch": ["autosetuprebase", "autosetupmerge", "sort"], "tag": ["sort"], "gc": ["auto"],
    "commit": ["verbose"],
    "lfs": ["repositoryformatversion"], "help": ["autocorrect"],
  ]

  /// The names in sections of which there is one for each remote or branch.
  private static let perName: [String: Set<String>] = [
    "remote": ["url", "fetch", "tagopt", "prune"],
    "branch": ["remote", "merge", "rebase", "description", "vscode-merge-base"],
  ]

  /// The address of a remote, if it is the only one, and that of another machine.
  func address(of remote: String) -> String? {
    guard let addresses = values[["remote", remote, "url"]], addresses.count == 1,
      values[["remote", remote, "pushurl"]] == nil, let address = addresses.first, Self.isElsewhere(address)
    else { return nil }
    return address
  }

  private static func isElsewhere(_ address: String) -> Bool {
    address.wholeMatch(of: /(https|ssh):\/\/[A-Za-z0-9][A-Za-z0-9@.:_\-]*\/[A-Za-z0-9._~\/\-]+/) != nil
      || address.wholeMatch(
        of: /[A-Za-z0-9._\-]+@[A-Za-z0-9][A-Za-z0-9.\-]*:[A-Za-z0-9._~\/][A-Za-z0-9._~\/\-]*/) != nil
  }
}

extension Substring {
  /// The text without the blanks around it.
  fileprivate var trimmed: Substring {
    let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r"]
    let start = unicodeScalars.firstIndex { !blanks.contains($0) } ?? endIndex
    let end = unicodeScalars[start...].lastIndex { !blanks.contains($0) }
    return end.map { Substring(unicodeScalars[start...$0]) } ?? ""
  }
}
