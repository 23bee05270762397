import PermModel

/// Words for what decisions cover, where that might not be what a person expects.
enum CoverWords {
  /// The greatest number of decisions whose scopes are explained.
  private static let most = 8

  /// Returns a sentence for each decision whose scope is worth one.
  static func lines(_ decisions: [Decision]) -> [String] {
    var lines: [String] = []
    for decision in decisions.prefix(most) {
      guard let words = words(decision), !lines.contains(words) else { continue }
      lines.append(words)
    }
    return lines
  }

  private static func words(_ decision: Decision) -> String? {
    let (scope, isDenial) = (decision.atom.scope, decision.verdict == .deny)
    switch scope {
    case .folder where isDenial || !decision.atom.writesFiles: return "This covers \(scope.words)."
    case .folder: return "This covers \(scope.words) but protected names, which are asked about one by one."
    case .path: return "This covers \(scope.words) alone."
    case .host(let host, port: nil): return "This covers every port of \(host.name), and no other host."
    case .domain(let host): return "This covers every host below \(host.name), but not \(host.name) itself."
    case .command where isDenial:
      return "This covers the command as it is written, also within longer lines. "
        + "Write the program, or its first words, and … for all of its lines."
    case .command: return "This covers exactly this line."
    case .form(let name) where isDenial && CommandForm(named: name)?.address != nil:
      return "This covers every git push, wherever it is in a line and wherever it leads."
    case .start,
      .form where isDenial:
      return "This covers every command that begins so, wherever it is in a line."
    case .form(let name) where CommandForm(named: name)?.address != nil:
      return "This covers every line that sends one branch there, as long as git's settings lead there."
    case .form: return "This covers every line of this form with options that are known to do no more."
    case .name: return "This covers this name alone."
    case .names: return "This covers \(scope.words)."
    default: return nil
    }
  }
}
