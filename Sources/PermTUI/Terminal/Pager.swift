import CNcurses
import Machine

/// The program in which a person reads a long text: the one that `PAGER` names, or `less`.
struct Pager {
  /// The command as a shell reads it.
  let command: String

  init(_ environment: [String: String]) {
    let named = environment["PAGER"] ?? ""
    command = named.allSatisfy(\.isWhitespace) ? "less" : named
  }

  /// Shows a text on a terminal, and returns when the pager has ended.
  ///
  /// It reads the text from a file in memory, so that it can end before it has read all. It is told to offer no shell and
  /// no editor, in which the text could be mistaken for the person's own.
  ///
  /// - Returns: The reason why the text could not be read, in words; `nil` if there is none.
  func show(_ text: String, on output: Int32) -> String? {
    let file = cncurses_memfd("permtui")
    guard file >= 0 else { return "There is no memory for the pager." }
    defer { close(file) }
    WholeWrite.write(Array((text + "\n").utf8), to: file)
    lseek(file, 0, SEEK_SET)
    do throws(SystemError) {
      let shell = ["/bin/sh", "-c", "LESSSECURE=1; export LESSSECURE; exec \(command)"]
      return problem(try Signals.runInFront(shell, input: file, output: output))
    } catch {
      return "The pager cannot be started: \(SystemError.reason(error.code))."
    }
  }

  private func problem(_ status: Int32) -> String? {
    if status & 0x7f != 0 { return "Signal \(status & 0x7f) ended the pager." }
    let code = (status >> 8) & 0xff
    return code == 0 ? nil : "The pager ended with status \(code). Set the variable PAGER to use another one."
  }
}
