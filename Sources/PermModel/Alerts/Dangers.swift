/// The words of a command line that a person should not overlook. Only the line itself, the project's folder and the names that
/// a proxy gets to see decide which they are, all of which are part of the alert's digest.
struct Dangers {
  /// The words that delete, send or escalate something, their most dangerous options, and the paths outside of the project.
  let words: [String]

  init(in line: String, project: Scope?, proxied: Set<String> = []) {
    let commands = PossibleLine(line).commands.map { $0.words.map(\.text) }
    let all = commands.flatMap { words in
      Self.harmful(words, proxied) + words.filter { Self.leadsOut($0, of: project) }
    }
    words = Set(all).filter { !$0.isEmpty }.sorted()
  }

  private static let options: Set<String> = [
    "-f", "-r", "-R", "-rf", "-fr", "-Rf", "--force", "--force-with-lease", "--hard", "--no-verify",
    "--mirror", "--delete",
  ]
  private static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "eval"]

  private static func harmful(_ words: [String], _ proxied: Set<String>) -> [String] {
    guard let first = words.first else { return [] }
    if shells.contains(ProgramTable.name(first)) { return [first] }
    guard let harm = ProgramTable.harm(of: words, proxied: proxied) else { return [] }
    return [first, harm.word].filter(words.contains) + words.filter(options.contains)
  }

  /// Whether a word is a path outside of the project.
  private static func leadsOut(_ word: String, of project: Scope?) -> Bool {
    guard word != "/dev/null", let project else { return false }
    if word.split(separator: "/").contains("..") { return true }
    let whole = word == "~" || word.hasPrefix("~/") ? HomeFolder.path + word.dropFirst() : word
    guard whole.hasPrefix("/"), let path = try? AbsolutePath(whole) else { return false }
    return !project.covers(.path(path)) && !project.covers(.folder(path))
  }
}
