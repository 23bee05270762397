import Machine

/// The keys and values of a settings file of git, read by the strictest rules.
package struct GitSettings: Sendable {
  /// The entries, in order. The parts of a key are the section, the name of a subsection if there is one, and the name.
  /// Section and name are in lower case. A value is `nil` if it is not certain.
  private var entries: [(key: [String], value: String?)] = []

  /// Reads a text; `nil` if it is not certain which keys it has.
  package init?(_ text: String) {
    guard let lines = Self.lines(of: text) else { return nil }
    var section: [String] = []
    for line in lines {
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
      entries.append((section + [name], value))
    }
  }

  /// Reads a file.
  ///
  /// - Parameter isProject: Whether the file belongs to a repository, which somebody else might have made. Then it is not
  ///   followed through a link.
  /// - Returns: No settings if there is no file; `nil` if it is not certain which keys it has.
  package init?(at path: String, isProject: Bool) {
    guard FileStatus(path, followingLinks: false) != nil else {
      self.init("")
      return
    }
    guard FileStatus(path, followingLinks: !isProject)?.kind == .file,
      let bytes = try? Files.bytes(of: path, limit: Self.longest, followingLinks: !isProject),
      bytes.count < Self.longest, let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(text)
  }

  /// The greatest size of a file that is read, in bytes. The rest of a longer one would not be known.
  private static let longest = 1 << 16

  /// Returns the lines of a text; `nil` if they are not certain. A backslash at the end of a value continues the line, but
  /// not in a comment.
  private static func lines(of text: String) -> [String]? {
    var (lines, open): ([String], String?) = ([], nil)
    for part in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      let rest = String(Substring(part).trimmed)
      let line = (open ?? "") + rest
      guard rest.utf8.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count % 2 == 1 else {
        lines.append(line)
        open = nil
        continue
      }
      guard !line.contains(where: { "#;".contains($0) }), line.contains("=") else { return nil }
      // The backslash stays, so that the value is not certain. What follows it is no mark of another end.
      open = line + "x"
    }
    return open == nil ? lines : nil
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

  private static func entry(_ text: Substring) -> (String, String?)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first?.trimmed, isName(name) else { return nil }
    guard parts.count > 1 else { return (name.lowercased(), "true") }
    let value = parts[1].trimmed
    return (name.lowercased(), value.contains { "\\\"#;".contains($0) } ? plain(value) : String(value))
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

  // MARK: Meanings of the keys

  /// Returns a key that could make git run a program, or use other files, in words; `nil` if there is none.
  ///
  /// - Parameter isOfRepository: Whether the file lies in the repository, and is not the person's or the machine's.
  func firstHarmful(isOfRepository: Bool, whenSending: Bool) -> String? {
    let harmful = Set(entries.map(\.key)).filter { key in
      guard !Self.isHarmless(key, isOfRepository) else { return Self.isOdd(key, values(of: key)) }
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
  private static func isOdd(_ key: [String], _ given: [String?]) -> Bool {
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

  private func values(of key: [String]) -> [String?] { entries.filter { $0.key == key }.map(\.value) }

  /// The address of a remote, if it is the only one, and that of another machine.
  func address(of remote: String) -> String? {
    let addresses = values(of: ["remote", remote, "url"])
    guard addresses.count == 1, values(of: ["remote", remote, "pushurl"]).isEmpty,
      let address = addresses[0], CommandForm.isElsewhere(address)
    else { return nil }
    return address
  }
}

// MARK: - What runs programs

extension GitSettings {
  /// The entries that make git run a program or read another file, also for commands that only look: the section and the
  /// name of each, and its value.
  package var programs: [(name: String, value: String)] {
    entries.compactMap { key, value in
      let (section, name) = (key[0], key[key.count - 1])
      return Self.runs(section, name, value ?? "") ? ("\(section).\(name)", value ?? "") : nil
    }
  }

  /// Whether the settings name another folder of hooks than that of the repository.
  package var setHooks: Bool { entries.contains { $0.key == ["core", "hookspath"] } }
  /// Whether the settings name other files with settings.
  package var includeOthers: Bool { entries.contains { $0.key[0].hasPrefix("include") } }

  private static func runs(_ section: String, _ name: String, _ value: String) -> Bool {
    switch (section, name) {
    // A value that is not certain could begin so.
    case ("alias", _), ("submodule", "update"): value.isEmpty || value.hasPrefix("!")
    case ("core", "fsmonitor"): !["true", "false"].contains(value.lowercased())
    default: programs[section]?.contains(name) ?? false
    }
  }

  private static let programs: [String: Set<String>] = [
    "core": ["hookspath", "sshcommand", "pager", "editor", "gitproxy", "askpass", "alternaterefscommand"],
    "diff": ["external", "command", "textconv"], "filter": ["clean", "smudge", "process"],
    "merge": ["driver"], "credential": ["helper"], "gpg": ["program"], "sequence": ["editor"],
    "include": ["path"], "includeif": ["path"], "remote": ["uploadpack", "receivepack", "vcs"],
    "uploadpack": ["packobjectshook"], "trailer": ["command", "cmd"], "mergetool": ["cmd", "path"],
    "difftool": ["cmd", "path"], "interactive": ["difffilter"],
  ]
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
