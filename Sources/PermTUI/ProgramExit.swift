import ArgumentParser
import Glibc
import Machine
import PermModel

/// The way in which the program ends after a command has thrown an error: the last message and the exit status.
enum ProgramExit: Hashable {
  /// Output that the person asked for, such as the help or the version.
  case answered(String)
  /// A message for standard error, and the exit status. An empty message is not printed.
  case failed(String, Int32)
  /// The reader of the output has gone away. `SIGPIPE` ends the program, as it ends any program that does not handle
  /// this signal.
  case readerGone

  init(_ error: any Error) {
    switch error {
    case OutputError.readerGone: self = .readerGone
    case OutputError.failed(let code):
      self = .failed(
        "permtui: cannot write the output: \(SystemError.reason(code))", ExitStatus.failed.rawValue)
    default:
      if let error = CommandError(model: error) {
        self = .failed(Self.message(error), error.status.rawValue)
        return
      }
      let text = PermTUI.fullMessage(for: error)
      let code = PermTUI.exitCode(for: error).rawValue
      self = code == 0 ? .answered(text) : .failed(Self.printable(text), code)
    }
  }

  /// Prints the message, if any, and ends the process.
  func end() -> Never {
    switch self {
    case .answered(let text):
      do throws(OutputError) {
        try FileSink(descriptor: STDOUT_FILENO).write(text + "\n")
        exit(ExitStatus.done.rawValue)
      } catch {
        ProgramExit(error).end()
      }
    case .failed(let text, let status):
      if !text.isEmpty { try? FileSink(descriptor: STDERR_FILENO).write(text + "\n") }
      exit(status)
    case .readerGone:
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
      exit(ExitStatus.failed.rawValue)
    }
  }

  private static func message(_ error: CommandError) -> String {
    // Values in a message are in their text form, in which backslashes begin escapes already.
    let lines = [error.message] + error.advice.map { "  " + $0 }
    let visible = lines.map { VisibleText.escaped(written: $0, measure: LocaleCellMeasure()) }
    return "permtui: " + visible.joined(separator: "\n")
  }

  /// Escapes a usage error. The error repeats arguments, which might contain untrusted text from another program.
  private static func printable(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { visible($0) }.joined(separator: "\n")
  }

  private static func visible(_ text: some StringProtocol) -> String {
    VisibleText.escaped(text, measure: LocaleCellMeasure())
  }
}
