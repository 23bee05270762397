import Machine

/// The environment variables of a process that asks to run a command form. Some variables would make the program run
/// other code than its command line says.
package struct FormVariables: Sendable {
  /// The environment of the process that asks.
  let variables: [String: String]
  /// The home folder according to the list of users.
  private let listedHome: String?

  package init(variables: [String: String], listedHome: String? = Users.homeFolder) {
    self.variables = variables
    self.listedHome = listedHome
  }

  /// The home folder, whose settings programs read.
  var home: String? { listedHome }

  /// Whether no variable is set that makes the shell, the loader or the program of the form run other code, or read
  /// other settings.
  package func areHarmless(for form: CommandForm) -> Bool {
    let refused = Names.forAll + (Names.ofProgram[String(form.program)] ?? [])
    return variables.keys.allSatisfy { name in
      Self.harmless.contains(name) || !refused.contains { $0.matches(name) }
    }
      && isUsual("HOME", "")
      && (!Self.configurable.contains(form.program) || isUsual("XDG_CONFIG_HOME", "/.config"))
  }

  /// Whether a variable is not set, or names the folder that is used without it.
  private func isUsual(_ name: String, _ place: String) -> Bool {
    guard let value = variables[name] else { return true }
    guard let folder = try? AbsolutePath(value), let listedHome else { return false }
    return folder == (try? AbsolutePath(listedHome + place))
  }

  /// The programs that read settings from the folder that `XDG_CONFIG_HOME` names.
  private static let configurable: Set<Substring> = ["git", "swift"]
  private static let harmless: Set<String> = ["GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_EDITOR"]
}

/// The name of a variable, or the beginning of the names of several variables.
private enum Names {
  case only(String)
  case all(String)

  func matches(_ name: String) -> Bool {
    switch self {
    case .only(let only): name == only
    // npm ignores the difference between upper and lower case.
    case .all(let start): name.uppercased().hasPrefix(start)
    }
  }

  /// The variables with which the dynamic loader or a shell runs other code.
  static let forAll: [Names] = [
    .all("LD_"), .only("GCONV_PATH"), .only("ENV"), .only("BASH_ENV"), .all("BASH_FUNC_"), .only("ZDOTDIR"),
    .only("SHELLOPTS"), .only("PS4"),
  ]

  private static let compilers: [Names] = [.only("CC"), .only("CXX")]

  static let ofProgram: [String: [Names]] = [
    "git": [.all("GIT_"), .all("PAGER"), .all("LESS"), .all("SSH_ASKPASS")],
    "go": [.all("GO"), .all("CGO_")] + compilers,
    "pytest": [.all("PYTEST"), .all("PYTHON"), .only("PY_COLORS")],
    "rg": [.all("RIPGREP_")], "file": [.only("MAGIC")], "sort": [.only("TMPDIR")],
    "make": [.only("MAKEFLAGS"), .only("MAKEFILES"), .only("GNUMAKEFLAGS")] + compilers,
    "npm": [.only("NODE_OPTIONS"), .only("NODE_PATH"), .all("NPM_CONFIG_")],
    "cargo": [.all("CARGO_"), .all("RUST")] + compilers,
    "swift": [.all("SWIFT"), .only("TOOLCHAINS"), .only("SDKROOT")] + compilers,
  ]
}
