@testable import PermModel

/// The command lines that programs ask for.
enum ShellInput {
  static func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    checkParts(of: ShellLine(text))
    checkForm(of: text)
    checkReadings(of: text)
    checkHoles(of: text)
  }

  /// Checks that a line with holes covers only single commands, and that no word in a hole is an option or leads upwards.
  private static func checkHoles(of text: String) {
    guard let lines = try? HoledLine(text) else { return }
    precondition(
      (try? Scope(Scope.lines(lines).text, kind: .command)) == .lines(lines),
      "a line with holes is read differently")
    for filler in [
      "a", "a/b.c", "7", "'a b'", "-x", "../a", "=a", "@a", "a=b", "$x", "/a", "a b", "a;b",
      "\"$(cat <<'E'\nx\nE\n)\"",
    ] {
      let line = text.replacing(/\{[^{}]*\}/, with: filler)
      guard let filling = lines.filling(in: line) else { continue }
      precondition(CertainLine(line)?.commands.count == 1, "a line with holes covers several commands")
      for found in filling {
        precondition(!found.word.contains("..") && !found.word.hasPrefix("="), "a word leads upwards")
      }
    }
  }

  private static func checkParts(of line: ShellLine) {
    let parts = line.parts
    precondition(!parts.isEmpty, "a line has no part")
    guard parts != [line.text] else { return }
    for part in parts {
      precondition(!part.isEmpty && ShellLine(part).parts == [part], "a part consists of parts")
      precondition(
        !ShellLine(part).isAlwaysAsked || line.isAlwaysAsked, "a part is always asked, but not the line")
    }
  }

  /// Checks that every word of a line with a form is known, and that the line joins nothing.
  private static func checkForm(of line: String) {
    guard let form = CommandForm(of: line) else { return }
    let commands = CertainLine(line)?.commands
    precondition(commands?.count == 1 && commands?[0].literals != nil, "a line with a form is not certain")
    let words = commands?[0].literals ?? []
    precondition(words.first == String(form.program), "a form of another program")
    precondition(Scope.form(form.name).covers(.command(line)), "the form does not cover its line")
    let paths = FormLine(line)?.paths ?? []
    // A line without a path can be about the working folder, and a test is named behind its file.
    precondition(
      paths == ["."] || paths.allSatisfy { path in words.contains { $0.hasPrefix(path) } },
      "a path is not in the line")
    precondition(paths.allSatisfy { $0.utf8.first != UInt8(ascii: "-") }, "an option became a path")
  }

  /// Checks that the generous reading finds each command of the strict one.
  private static func checkReadings(of line: String) {
    guard let commands = CertainLine(line)?.commands, commands.count < 20 else { return }
    let possible = PossibleLine(line)
    for command in commands {
      guard let words = command.literals, let first = words.first, let start = CommandStart(first) else {
        continue
      }
      guard !first.contains("="), !ProgramTable.keywords.contains(first) else { continue }
      let isFound = !possible.commands(in: .start(start)).isEmpty || possible.mayContain(.start(start))
      precondition(isFound || Self.namesNothing.contains(first), "a command is not found")
    }
  }

  /// The words of the shell behind which no command begins.
  private static let namesNothing: Set<String> = ["for", "case", "select", "function"]
}
