import FoundationEssentials
import Machine
import PermModel

/// A file with the processes that have asked as agents, from which the next broker of the same store knows them.
///
/// The file counts only until the machine is restarted, because process numbers repeat after that.
struct AgentRecord: Sendable {
  private struct Content: Codable {
    var boot: String
    var agents: [Agent]
  }

  private struct Agent: Codable {
    var process: ProcessIdentity
    var subject: Subject
  }

  /// The greatest length of the file, in bytes. Paths and folders can have several thousand each.
  private static let longest = 1 << 25

  let path: String
  /// The id of the current boot.
  let boot: String

  func read() -> [ProcessIdentity: Subject] {
    guard let text = Files.text(of: path, limit: Self.longest, followingLinks: false),
      let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8)), content.boot == boot
    else { return [:] }
    return Dictionary(content.agents.map { ($0.process, $0.subject) }) { _, last in last }
  }

  /// Replaces the content. If that fails, the next broker knows the agents only when they ask again.
  func write(_ agents: [ProcessIdentity: Subject]) {
    let content = Content(boot: boot, agents: agents.map { Agent(process: $0.key, subject: $0.value) })
    guard let data = try? JSONEncoder().encode(content) else { return }
    try? Files.replace(path, text: String(decoding: data, as: UTF8.self))
  }
}
