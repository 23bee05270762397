@testable import PermModel

/// The command lines that programs ask for.
enum ShellInput {
  static func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let line = ShellLine(text)
    checkParts(of: line)
    checkForm(of: line)
  }

  private static func checkParts(of line: ShellLine) {
    let parts = line.parts
    precondition(!parts.isEmpty, "a line has no part")
    guard parts != [line.text] else { return }
    for part in parts {
      precondition(line.text.hasBytes(of: part), "a part does not stand in the line")
      precondition(!part.isEmpty && ShellLine(part).parts == [part], "a part consists of parts")
      precondition(
        !ShellLine(part).isAlwaysAsked || line.isAlwaysAsked, "a part is always asked, but not the line")
    }
  }

  /// Checks that every word of a line with a form is known, and that the line joins nothing.
  private static func checkForm(of line: ShellLine) {
    guard let form = CommandForm(of: line.text) else { return }
    precondition(line.plainWords != nil && line.parts == [line.text], "a line with a form is not plain")
    precondition(line.text == form.name || line.text.hasPrefix(form.name + " "), "a form of another program")
    precondition(Scope.form(form.name).covers(.command(line.text)), "the form does not cover its line")
    let paths = form.paths(in: line.text)
    // A line without a path can be about the working folder.
    precondition(
      paths == ["."] || paths.allSatisfy { line.text.hasBytes(of: $0) }, "a path is not in the line")
    precondition(paths.allSatisfy { !$0.hasPrefix("-") }, "an option became a path")
  }
}

extension String {
  /// Whether the bytes of another text are in this one. A shell reads bytes: an accent behind a blank is not part of it.
  fileprivate func hasBytes(of other: some StringProtocol) -> Bool { Array(utf8).contains(Array(other.utf8)) }
}
