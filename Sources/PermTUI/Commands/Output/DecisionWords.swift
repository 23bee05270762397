import Machine
import PermModel

/// What commands say about decisions, in words that a person reads.
enum DecisionWords {
  /// How long, as the end of a sentence: `forever`, `until 2026-12-24 18:00`.
  static func lifetime(_ lifetime: Lifetime) -> String {
    lifetime == .forever ? "forever" : "until \(end(lifetime))"
  }

  /// When it ends, for a column that is headed so.
  static func end(_ lifetime: Lifetime) -> String {
    switch lifetime {
    case .forever: "forever"
    case .session: "logout"
    case .process(let process): "pid \(process.pid) ends"
    case .until(let deadline): moment(deadline.wall)
    }
  }

  /// A decision in one line, with all that is known about it.
  static func sentence(_ decision: Decision) -> String {
    let used = decision.lastUsed.map { ", last used \(moment($0))" } ?? ""
    let note = decision.note.map { ", \"\($0)\"" } ?? ""
    return "\(decision.atom) \(decision.verdict.past) \(lifetime(decision.lifetime)),"
      + " decided \(moment(decision.decidedAt)) by \(origin(decision.origin))\(used)\(note)"
  }

  /// Who or what decided.
  static func origin(_ origin: Origin) -> String {
    switch origin {
    case .dashboard: "a dashboard"
    case .commandLine: "the command line"
    case .commandLineAlone: "the command line, without a broker"
    case .terminal: "the program's own terminal"
    case .rule(let name): "the rule \(name)"
    case .library: "the program's library"
    }
  }

  /// A moment in local time, to the minute.
  static func moment(_ moment: Timestamp) -> String {
    let local = LocalTime(moment)
    return "\(local.date) \(local.time)"
  }
}

extension Verdict {
  var past: String { self == .allow ? "allowed" : "denied" }
  var role: Style.Role { self == .allow ? .allowed : .denied }
}
