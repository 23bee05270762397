import Machine

/// The settings of git that make it run programs, also for commands that only look.
struct GitPrograms: Sendable {
  /// The names of the settings that were found, each with its value.
  private(set) var found: [(name: String, value: String)] = []

  /// - Parameter bytes: The content of a settings file.
  init(_ bytes: [UInt8]) {
    var section = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      var rest = line.drop(while: \.isWhitespace)
      if rest.first == "[", let end = rest.firstIndex(of: "]") {
        section = Self.section(rest[..<end].dropFirst())
        rest = rest[end...].dropFirst().drop(while: \.isWhitespace)
      }
      let key = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }.lowercased()
      guard !key.isEmpty else { continue }
      let sign = rest.dropFirst(key.count).drop(while: \.isWhitespace)
      let value = sign.first == "=" ? String(sign.dropFirst().drop(while: \.isWhitespace)) : ""
      if Self.runs(section, key, value) { found.append(("\(section).\(key)", value)) }
    }
  }

  /// Returns the name of a section without what stands in quotation marks.
  private static func section(_ text: Substring) -> String {
    text.prefix { !$0.isWhitespace && $0 != "." }.lowercased()
  }

  private static func runs(_ section: String, _ key: String, _ value: String) -> Bool {
    switch (section, key) {
    case ("alias", _): value.drop { $0 == "\"" }.hasPrefix("!")
    case ("core", "fsmonitor"): !["true", "false", ""].contains(value.lowercased())
    case ("submodule", "update"): value.hasPrefix("!")
    default: programs[section]?.contains(key) ?? false
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
