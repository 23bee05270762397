import ArgumentParser
import PermBroker
import PermModel

/// The reason why a command could not do its work, in words for the person who typed the command.
///
/// Errors from all layers below the commands are translated into this type, so that messages and exit
/// statuses are decided in one place.
struct CommandError: Error, Hashable, CustomStringConvertible {
  /// The problem, in one sentence without a final full stop.
  var message: String
  /// Advice on how to solve the problem. Each element is one line.
  var advice: [String]
  var status: ExitStatus

  init(_ message: String, advice: [String] = [], status: ExitStatus = .failed) {
    self.message = message
    self.advice = advice
    self.status = status
  }

  /// Returns the error for a command line that makes no sense.
  static func usage(_ message: String, advice: [String] = []) -> CommandError {
    CommandError(message, advice: advice, status: .usage)
  }

  var description: String { ([message] + advice.map { "  " + $0 }).joined(separator: "\n") }
}

extension CommandError {
  /// Translates an error of the model, the broker or the terminal; `nil` for any other error.
  init?(model error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case is StoreError, is TerminalError: self.init(lines: "\(error)")
    case let error as CapabilityReferenceError: self = .usage("\(error)")
    case let error as ScopeError: self = .usage("\(error)")
    case let error as AnswerRefused: self = .usage("\(error)")
    case let error as DecisionRefused: self = .usage("\(error)")
    case let error as BrokerError: self.init(broker: error)
    case let error as BrokerSocketError: self.init("\(error)")
    default: return nil
    }
  }

  /// Creates the error from a problem that advice can follow, each piece on a line.
  private init(lines: String, status: ExitStatus = .failed) {
    let lines = lines.split(separator: "\n").map(String.init)
    self.init(lines.first ?? "", advice: Array(lines.dropFirst()), status: status)
  }

  /// The parameters of calls that the person typed. Each reason for refusing one is a sentence of its own.
  private static let typed: Set = ["capability", "program", "lifetime", "folder", "answer"]

  /// Translates the error from a call that was refused by a broker or, if no broker is running, by the store.
  private init(broker error: BrokerError) {
    switch error {
    case .nothingToUndo: self.init("there is nothing to undo", status: .denied)
    case .nothingToRedo: self.init("there is nothing to redo", status: .denied)
    case .undoRefused:
      self.init("\(error)", advice: ["decide again with permtui allow, deny or forget"])
    case .ambiguousProgram(let name, let subjects):
      self = .usage(
        Self.ambiguity(name, subjects), advice: subjects.map(Self.words).sorted())
    case .invalid(let name, let reason) where Self.typed.contains(name): self = .usage(reason)
    case .unknownCapability, .invalid: self = .usage("\(error)")
    case .noSuchFile:
      self.init("\(error)", advice: ["a program that was not seen yet can be named by its label"])
    case .changed:
      self.init("\(error)", advice: ["permtui pending lists what waits now"], status: .noAnswer)
    case .noSuchRequest:
      self.init("\(error)", advice: ["permtui pending lists those that wait"], status: .denied)
    case .noSuchProgram(_, let meant):
      self.init("\(error)", advice: meant.map { ["did you mean '\($0)'?"] } ?? [], status: .denied)
    case .unknownMethod, .unknownInterface:
      self.init(
        "\(error)", advice: ["end the dashboards and the permtui serve that run, and start this version"])
    case .mayNotChange(let reason):
      let parts = reason.split(separator: "; ", maxSplits: 1).map(String.init)
      self.init(parts[0], advice: Array(parts.dropFirst()))
    case .tooMuch, .disconnected: self.init("\(error)", status: .noAnswer)
    // An error of the broker's store has its advice on a line of its own.
    default: self.init(lines: "\(error)")
    }
  }

  private static func ambiguity(_ name: String, _ subjects: [Subject]) -> String {
    let paths = Set(subjects.map { [$0.label, $0.path] })
    return paths.count == 1
      ? "'\(name)' is known in several folders; name one with --in"
      : "'\(name)' fits several programs; name one by its path"
  }

  private static func words(_ subject: Subject) -> String {
    let folder = subject.folder.map { " --in \($0.path.shellQuoted)" } ?? ""
    return subject.label + (subject.path.map { "@\($0)" } ?? ", not seen yet") + folder
  }
}

/// The exit status of the program. Scripts rely on these numbers, so they never change.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// The request was allowed, or the command succeeded.
  case done = 0
  /// The request was denied, or no match was found.
  case denied = 1
  case failed = 2
  /// No answer: the request timed out, was dismissed, exceeded a limit, or reached nobody. Trying again might help.
  case noAnswer = 3
  /// The capability is not available on this machine. Trying again does not help.
  case unavailable = 4
  /// The command line was wrong.
  case usage = 64
  /// A program was not started, because its walls could not be built.
  case noWalls = 125
  /// The command was interrupted by ^C.
  case interrupted = 130

  var exitCode: ExitCode { ExitCode(rawValue) }
}
