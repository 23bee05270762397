// The harm that a command can do if it runs again without asking, such as deleting or sending something.

extension ProgramTable {
  /// An effect of a command that cannot be taken back, and the word for it.
  struct Harm: Hashable, Sendable {
    /// The word of the line that does it, for example `push`.
    var word: String
    /// The effect, as a sentence without its full stop.
    var consequence: String
  }

  /// Returns the first thing in a line that deletes, sends or escalates; `nil` if there is none that is known.
  ///
  /// - Parameter proxied: The names of this machine that a proxy gets to see.
  static func harm(in line: PossibleLine, proxied: Set<String> = []) -> Harm? {
    line.commands.lazy.compactMap { harm(of: $0.words.lazy.map(\.text), proxied: proxied) }.first
  }

  /// Returns the thing that a command deletes, sends or escalates; `nil` if none is known.
  static func harm(of words: some Collection<String>, proxied: Set<String> = []) -> Harm? {
    guard let first = words.first else { return nil }
    let program = name(first)
    if staysHere(program, words.dropFirst(), proxied) { return nil }
    if let consequence = harmful[program] { return Harm(word: program, consequence: consequence) }
    guard let subcommands = harmfulSubcommands[program] else { return nil }
    let given = words.dropFirst().first { subcommands[$0] != nil }
    return given.flatMap { word in subcommands[word].map { Harm(word: word, consequence: $0) } }
  }

  /// The options of `curl` that neither name another machine nor write a file, and those of them that take a value.
  private static let plainOptions: Set<String> = [
    "-s", "-S", "-f", "-i", "-I", "-v", "-sS", "-Ss", "-sf", "-fs", "-fsS", "-sSf", "-si", "-is", "-sI",
    "-sv",
    "--silent", "--show-error", "--fail", "--include", "--head", "--verbose",
  ]
  private static let optionsWithValue: Set<String> = [
    "-X", "-H", "-d", "-m", "--request", "--header", "--data", "--data-raw", "--max-time", "--json",
  ]
  /// The names of this machine in addresses.
  static let here: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  /// Whether a command certainly sends only to this machine.
  private static func staysHere(
    _ program: String, _ words: some Sequence<String>, _ proxied: Set<String>
  ) -> Bool {
    guard program == "curl" else { return false }
    var (isValue, addresses) = (false, 0)
    for word in words {
      if word.contains(where: { "$`".contains($0) }) { return false }
      if isValue {
        isValue = false
      } else if optionsWithValue.contains(word) {
        isValue = true
      } else if !plainOptions.contains(word) {
        guard isAddress(word, of: here.subtracting(proxied)) else { return false }
        addresses += 1
      }
    }
    return addresses > 0
  }

  /// Whether a word is an address with one of these names, such as `http://localhost:8080/a`.
  private static func isAddress(_ word: String, of names: Set<String>) -> Bool {
    let schemes = ["http://", "https://"]
    let rest = schemes.first(where: word.hasPrefix).map { word.dropFirst($0.count) } ?? word[...]
    let authority = rest.prefix { !"/?#".contains($0) }
    return names.contains { host in
      guard authority.hasPrefix(host) else { return false }
      let port = authority.dropFirst(host.count)
      return port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  private static let deletes = "it deletes files, which cannot be undone"
  private static let sends = "it sends data to another machine"
  private static let escalates = "it runs with more rights than you have"
  private static let installs = "it fetches programs, and can run what they bring"

  private static let harmful: [String: String] = {
    var rows: [String: String] = [:]
    for (names, consequence) in [
      ("rm rmdir shred unlink dd mkfs truncate srm trash", deletes),
      ("sudo doas pkexec su run0 setpriv", escalates),
      ("curl wget scp sftp rsync ftp rclone mail sendmail ssh", sends), ("npx pnpx bunx uvx pipx", installs),
      ("kill killall pkill", "it ends other programs, whose work can be lost"),
      ("chmod chown chgrp setfacl", "it changes who may use files"),
    ] {
      for name in names.split(separator: " ") { rows[String(name)] = consequence }
    }
    return rows
  }()

  private static let harmfulSubcommands: [String: [String: String]] = [
    "git": [
      "push": "it sends commits to another machine", "clean": deletes,
      "reset": "it can throw away changes that are stored nowhere else",
      "checkout": "it can throw away changes that are stored nowhere else",
      "restore": "it can throw away changes that are stored nowhere else",
      "filter-branch": "it rewrites the history",
      "rebase": "it rewrites the history", "send-email": sends,
    ],
    "npm": ["publish": "it publishes a package", "install": installs, "i": installs, "exec": installs],
    "pnpm": ["publish": "it publishes a package", "install": installs, "add": installs, "dlx": installs],
    "yarn": ["publish": "it publishes a package", "add": installs, "dlx": installs],
    "cargo": ["publish": "it publishes a package", "install": installs],
    "pip": ["install": installs, "uninstall": deletes], "pip3": ["install": installs, "uninstall": deletes],
    "gh": ["create": sends, "merge": sends, "delete": deletes, "api": sends, "release": sends],
    "find": ["-delete": deletes], "docker": ["push": sends, "rm": deletes, "rmi": deletes, "prune": deletes],
    "apt": ["install": installs, "remove": deletes, "purge": deletes],
    "apt-get": ["install": installs, "remove": deletes, "purge": deletes],
    "gem": ["install": installs, "push": sends],
    "twine": ["upload": "it publishes a package"],
    "terraform": ["apply": "it changes machines", "destroy": deletes],
  ]
}
