/// A set of similar command lines in which every word is known, such as `git status` with harmless options.
///
/// The forms are compiled in. A line belongs to a form only if all of its words are certain, and if each of them is
/// the form's program, its subcommand, a listed option, or an operand that does not begin with a hyphen. Unknown options
/// might run another program or overwrite a file, so a line with such an option belongs to no form.
package struct CommandForm: Hashable, Sendable {
  /// The program and the subcommand, for example `git status`.
  package let name: String
  package let effect: Effect
  private let options: Set<String>
  private let operands: Operands

  package enum Effect: Hashable, Sendable {
    /// Reads files and prints them.
    case reads
    /// Sends commits to another machine.
    case sends
    /// Runs whatever the files in the folder say.
    case runsFolder
  }

  private enum Operands: Hashable {
    /// Any number of revisions, or of files inside the repository.
    case revisions
    /// Any number of paths. The program reads them, or the working folder if `orFolder` is set and there are none.
    case paths(orFolder: Bool)
    /// The name of another repository, and the name of a branch.
    case remoteAndBranch
    /// The name of one target.
    case target
    case none
  }

  private init(
    _ name: String, _ effect: Effect, _ operands: Operands, options: [String] = []
  ) {
    (self.name, self.effect, self.operands, self.options) = (name, effect, operands, Set(options))
  }

  /// Returns the form with this name; `nil` if there is none.
  package init?(named name: String) {
    guard let form = Self.byName[name] else { return nil }
    self = form
  }

  /// Returns the form to which a line belongs; `nil` if there is none.
  package init?(of line: String) {
    guard let words = Self.words(of: line) else { return nil }
    for length in [2, 1] where words.count >= length {
      let form = CommandForm(named: words[..<length].joined(separator: " "))
      // A word in quotation marks can contain a blank.
      guard let form, form.length == length, form.matches(words[length...]) else { continue }
      self = form
      return
    }
    return nil
  }

  /// The words of a line that consists of a single command; `nil` if they are not certain, or not in visible ASCII.
  private static func words(of line: String) -> [Substring]? {
    guard let commands = CertainLine(line)?.commands, commands.count == 1, let words = commands[0].literals,
      words.allSatisfy({ $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } })
    else { return nil }
    return words.map { $0[...] }
  }

  /// The program, as it stands in the line. It must be a program that only root can replace.
  package var program: Substring { name.prefix { $0 != " " } }

  /// The number of words in the name.
  private var length: Int { name.split(separator: " ").count }

  /// Returns the name of the remote to which a line of this form sends commits; `nil` if it sends none.
  package func remote(in line: String) -> String? {
    guard effect == .sends, let words = Self.words(of: line) else { return nil }
    return words.dropFirst(length).first.map(String.init)
  }

  /// The paths that a line of this form reads.
  package func paths(in line: String) -> [Substring] {
    guard case .paths(let orFolder) = operands, let words = Self.words(of: line) else { return [] }
    let paths = words.dropFirst(length).filter { !$0.hasPrefix("-") }
    return paths.isEmpty && orFolder ? ["."] : paths
  }

  private func matches(_ words: ArraySlice<Substring>) -> Bool {
    let given = words.filter { !$0.hasPrefix("-") }
    // An option behind an operand is still an option.
    guard words.filter({ $0.hasPrefix("-") }).allSatisfy(isKnown) else { return false }
    // Some shells replace a word that begins with one of these signs.
    guard given.allSatisfy({ !"=^".contains($0.first ?? "=") }) else { return false }
    switch operands {
    case .none: return given.isEmpty
    case .revisions: return given.allSatisfy(Self.isRevision)
    case .paths: return given.allSatisfy { !$0.contains("^") && !$0.contains("~") }
    case .target: return given.count == 1 && given.allSatisfy(Self.isName)
    case .remoteAndBranch:
      // With a dot or a slash, git could take the first name for a folder, and run the hooks in it.
      guard given.count == 2, let remote = given.first else { return false }
      return given.allSatisfy(Self.isName) && !remote.contains { "./".contains($0) }
    }
  }

  private static func isName(_ word: Substring) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { $0.isNameByte || Array("-./,".utf8).contains($0) }
  }

  /// Whether a word is a revision, a range of revisions, or a file that does not lie outside of the repository. Git
  /// compares and prints any files on the machine if they lie outside.
  private static func isRevision(_ word: Substring) -> Bool {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return !word.hasPrefix("/") && !word.contains(":") && !parts.contains("..")
  }

  /// Whether an option is listed. An option that takes a number may be followed by one, as in `-n5`.
  private func isKnown(_ option: Substring) -> Bool {
    if options.contains(String(option)) { return !option.hasSuffix("N") }
    let stem = option.prefix { !$0.isNumber }
    let number = option.dropFirst(stem.count)
    return !number.isEmpty && number.utf8.count <= 9 && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && options.contains("\(stem)N")
  }
}

// MARK: - The forms

extension CommandForm {
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  private static let logOptions = [
    "--oneline", "--stat", "--name-only", "--name-status", "--no-color", "--graph", "--all", "--reverse",
    "--merges",
    "--no-merges", "--first-parent", "--decorate", "-p", "-nN", "-N", "--max-count=N", "-s", "--no-patch",
  ]

  /// All forms. Each has a test of lines that look alike and do more.
  package static let all: [CommandForm] = [
    CommandForm(
      "git status", .reads, .revisions, options: ["-s", "-b", "-sb", "--short", "--branch", "--porcelain"]),
    CommandForm("git log", .reads, .revisions, options: logOptions),
    CommandForm("git show", .reads, .revisions, options: logOptions),
    CommandForm(
      "git diff", .reads, .revisions,
      options: ["--stat", "--name-only", "--name-status", "--cached", "--staged", "--no-color", "-UN"]),
    CommandForm("git push", .sends, .remoteAndBranch),
    CommandForm(
      "ls", .reads, .paths(orFolder: true),
      options: ["-l", "-a", "-la", "-al", "-A", "-lA", "-h", "-lh", "-lah", "-1", "-R"]),
    CommandForm("wc", .reads, .paths(orFolder: false), options: ["-l", "-w", "-c", "-m"]),
    CommandForm("stat", .reads, .paths(orFolder: false)),
    CommandForm("du", .reads, .paths(orFolder: true), options: ["-s", "-h", "-sh", "-a", "-c", "-sch"]),
    CommandForm("head", .reads, .paths(orFolder: false), options: ["-nN", "-cN", "-N"]),
    CommandForm("cat", .reads, .paths(orFolder: false), options: ["-n", "-A", "-b"]),
    CommandForm("swift build", .runsFolder, .none, options: ["--build-tests"]),
    CommandForm("swift test", .runsFolder, .none, options: ["--parallel"]),
    CommandForm("cargo build", .runsFolder, .none, options: ["--release"]),
    CommandForm("cargo test", .runsFolder, .none, options: ["--release"]),
    CommandForm("cargo check", .runsFolder, .none),
    CommandForm("npm test", .runsFolder, .none),
    CommandForm("make", .runsFolder, .target, options: ["-jN"]),
  ]
}
