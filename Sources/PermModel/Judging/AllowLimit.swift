/// The longest lifetime with which something can be allowed, and the reason for it.
package struct AllowLimit: Hashable, Sendable {
  package var longest: LifetimeChoice
  /// The reason in words that can follow "because".
  package var reason: String

  package init(longest: LifetimeChoice, reason: String) {
    self.longest = longest
    self.reason = reason
  }

  /// Returns the limit on allowing an atom; `nil` if it can be allowed with every lifetime.
  ///
  /// - Parameter facts: What is known about the values of the request.
  package init?(on atom: Atom, _ facts: ValueFacts = ValueFacts()) {
    if let reason = facts.onceReason {
      self.init(longest: .once, reason: reason)
      return
    }
    guard atom.capability == "commands" else { return nil }
    switch atom.scope {
    case .any:
      self.init(longest: .session, reason: "every command can do everything that you can do")
    case .start:
      self.init(
        longest: .once, reason: "the first words of a command can only be denied; write the whole line")
    case .form(let name) where CommandForm(named: name)?.isOpen == true:
      self.init(
        longest: .once,
        reason: "it could send anywhere; name the address, as in git push ssh://git@example.org/app.git …")
    case .form where atom.runsFolder, .lines where atom.runsFolder:
      self.init(longest: .session, reason: "it runs what the files in a folder say")
    case .form where facts.dialect == .codex: self.init(longest: .process, reason: Self.unknownFolder)
    case .lines(let lines) where PossibleLine(lines.text).reach == .beyond:
      self.init(longest: .once, reason: "such a line is asked about each time")
    case .command(let line): self.init(onLine: line, facts)
    default: return nil
    }
  }

  private init?(onLine line: String, _ facts: ValueFacts) {
    let reach = PossibleLine(line).reach
    if reach == .beyond {
      self.init(longest: .once, reason: "such a line is asked about each time")
    } else if facts.isElsewhere {
      self.init(longest: .once, reason: Self.elsewhere)
    } else if facts.dialect == .codex {
      self.init(longest: .process, reason: Self.unknownFolder)
    } else if facts.leavesProgramOpen(.command(line)) {
      self.init(longest: .process, reason: "the script chooses which program that is")
    } else if let writer = facts.writer, PossibleLine(line).runsFolder {
      self.init(longest: .session, reason: "\(writer) may write what it runs")
    } else if reach == .looksBeyond {
      self.init(longest: .session, reason: "it shows what runs outside of the program's reach")
    } else {
      return nil
    }
  }

  private static let elsewhere = "it runs in another folder"
  /// The reason for a limit on the lines of an agent that does not say in which folder it runs them.
  static let unknownFolder = "Codex does not say in which folder it runs a line"
  /// The reason for a limit on the relative paths of such an agent.
  package static let unknownPlace = "Codex does not say to which folder a relative path belongs"

  /// Whether the limit is only about exactly this line. A form can be allowed nevertheless if its conditions hold.
  var isForExactLines: Bool {
    reason == Self.elsewhere || longest == .process && reason == Self.unknownFolder
  }

  /// Whether a lifetime is longer than the limit permits. A duration can outlast a session, so it is longer.
  package func forbids(_ lifetime: LifetimeChoice) -> Bool { lifetime.rank > longest.rank }
}

extension Atom {
  /// Whether the atom is a command form, or a line with holes, that runs what the files in a folder say. It means nothing
  /// without a folder.
  package var runsFolder: Bool {
    switch scope {
    case .form(let name): CommandForm(named: name)?.runsFolder == true
    case .lines(let lines): lines.runsFolder
    default: false
    }
  }

  /// Whether the atom means something only for an agent in its folder.
  package var needsFolder: Bool {
    if case .lines = scope { true } else { runsFolder }
  }
}

extension LifetimeChoice {
  /// The place of the lifetime in the order from the shortest to the longest.
  package var rank: Int {
    switch self {
    case .once: 0
    case .process: 1
    case .session: 2
    case .duration, .until: 3
    case .forever: 4
    }
  }
}

extension Atom {
  /// Returns the lifetime of a decision made beforehand if none is named: forever, or the longest with which the atom can
  /// be allowed.
  package func usualLifetime(_ verdict: Verdict) -> LifetimeChoice {
    verdict == .allow && AllowLimit(on: self)?.longest == .session ? .session : .forever
  }
}

extension CapabilityReference {
  /// Returns the lifetime of a single decision about all of the atoms if none is named.
  package func usualLifetime(_ verdict: Verdict) -> LifetimeChoice {
    atoms.contains { $0.usualLifetime(verdict) == .session } ? .session : .forever
  }
}
