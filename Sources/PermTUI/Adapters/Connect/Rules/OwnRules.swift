import Machine
import PermBroker
import PermModel

/// The rules in an agent's own settings, as decisions here. What the agent allows by itself is never asked about here, so a
/// denial of it must be here, too, to count for what the agent does in other ways.
struct OwnRules: Sendable {
  struct Rule: Hashable, Sendable {
    var verdict: Verdict
    /// The rule as it stands in the settings.
    var text: String
    /// The file with the rule, as it is shown.
    var source: String
    /// The capability; `nil` if there is none.
    var reference: String?
    /// The reason why the rule is not taken over; `nil` if it is.
    var obstacle: String?
  }

  /// The greatest number of rules that are looked at.
  private static let most = 200

  let rules: [Rule]

  init(of program: ConnectableProgram, _ agentRules: AgentRules, folder: String) {
    let all = program == .claude ? Self.claude(agentRules, folder) : Self.codex(agentRules)
    rules = Array(all.prefix(Self.most))
  }

  /// The rules that are taken over.
  var taken: [Rule] { rules.filter { $0.obstacle == nil } }
  /// The rules that stay the agent's alone.
  var left: [Rule] { rules.filter { $0.obstacle != nil } }

  // MARK: Claude Code

  private static func claude(_ agentRules: AgentRules, _ folder: String) -> [Rule] {
    agentRules.claudeFiles.flatMap { path, isProject in
      [Verdict.deny, .allow].flatMap { verdict in
        agentRules.claudeRules(verdict == .deny ? "deny" : "allow", in: path, isProject: isProject).map {
          text in
          let reader = ClaudeRule(
            verdict: verdict, home: agentRules.places.home, folder: folder, isProject: isProject)
          return rule(text, verdict, agentRules.shortened(path), isProject) {
            () throws(ClaudeRule.Obstacle) in try reader.reference(text)
          }
        }
      }
    }
  }

  /// Returns a rule with its capability. A project can bring its settings with it, so nothing that they allow is taken over
  /// without the person's own words.
  private static func rule(
    _ text: String, _ verdict: Verdict, _ source: String, _ isProject: Bool,
    _ reference: () throws(ClaudeRule.Obstacle) -> String
  ) -> Rule {
    var rule = Rule(verdict: verdict, text: text, source: source)
    do throws(ClaudeRule.Obstacle) {
      let found = try reference()
      rule.reference = found
      if isProject, verdict == .allow {
        rule.obstacle = "the project brings it; if it is yours, allow \(found) yourself"
      }
    } catch {
      rule.obstacle = error.words
    }
    return rule
  }

  // MARK: Codex

  private static func codex(_ agentRules: AgentRules) -> [Rule] {
    agentRules.codexRules.flatMap { path, text in
      CodexRules(text).rules.compactMap { found -> Rule? in
        guard found.decision != "prompt" else { return nil }
        let verdict: Verdict = found.decision == "allow" ? .allow : .deny
        let words = found.words?.joined(separator: " ")
        return rule(words ?? "prefix_rule", verdict, agentRules.shortened(path), false) {
          () throws(ClaudeRule.Obstacle) in try codex(words, verdict)
        }
      }
    }
  }

  private static func codex(_ words: String?, _ verdict: Verdict) throws(ClaudeRule.Obstacle) -> String {
    guard verdict == .deny else {
      throw ClaudeRule.Obstacle("Codex does not say in which folder it runs a line")
    }
    guard let words, CommandStart(words) != nil else {
      throw ClaudeRule.Obstacle("these are not the first words of a command here")
    }
    return "commands:run@\(words) …"
  }
}
