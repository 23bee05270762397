import Foundation

@testable import PermModel

/// Real shells, with programs that only note how they are called, in an empty folder.
struct ShellOracle {
  static let shells = ["/bin/bash", "/bin/dash"].filter { FileManager.default.isExecutableFile(atPath: $0) }
  static let programs = ["a", "b", "c"]

  private let folder: URL
  private var commands: URL { folder.appending(path: "bin") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "permtui-oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: commands, withIntermediateDirectories: true)
    for name in Self.programs {
      let stub = commands.appending(path: name)
      try "#!/bin/sh\n\(Self.note(name))\n".write(to: stub, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub.path)
    }
    for name in ["sh", "bash"] {
      try FileManager.default.createSymbolicLink(
        atPath: commands.appending(path: name).path, withDestinationPath: "/bin/\(name)")
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private static let (wordEnd, callEnd) = ("\u{1}", "\u{2}")

  /// The command with which a program notes its words in one write.
  private static func note(_ name: String) -> String {
    "printf '%s\\001' \(name) \"$@\" \"$(printf '\\002')\" >> \"$NOTES\""
  }

  /// Whether a line defines no function. One that calls itself on both sides of a pipe would never end.
  static func isSafe(_ line: String) -> Bool {
    line.firstRange(of: /\(([ \t\r\n]|\\\n)*\)/) == nil
  }

  /// Runs safe lines, each in a shell of its own, and returns the words of all calls for each of them.
  func calls(of lines: [String], in shell: String) throws -> [[[String]]] {
    let notes = folder.appending(path: "notes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: notes) }
    let work = notes.appending(path: "work")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    let runs = lines.enumerated().map { number, line in
      "NOTES=\(notes.path)/\(number); ( cd \(work.path); eval \(line.inShellQuotes); wait ) </dev/null >/dev/null 2>&1"
    }
    let setUp =
      ["PATH=\(commands.path)", "export PATH NOTES"] + Self.programs.map { "\($0)() { \(Self.note($0)); }" }
    let script = notes.appending(path: "script")
    try (setUp + runs).joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["60", shell, script.path]
    try process.run()
    process.waitUntilExit()
    return lines.indices.map { number in
      let text = (try? String(contentsOf: notes.appending(path: "\(number)"), encoding: .utf8)) ?? ""
      return text.components(separatedBy: Self.callEnd + Self.wordEnd).dropLast().map {
        $0.components(separatedBy: Self.wordEnd).dropLast()
      }
    }
  }
}

// MARK: - Lines

extension ShellOracle {
  /// Pieces of lines that a shell may run: they name no real programs, and no loop without an end.
  static let plainTokens = [
    "a", "b", "c", "a", "b", "-x", "'d e'", "\"f; g\"", "''", "x=y", "h~", ".", "/x", "2", "2>&1",
    ">/dev/null", "2> /dev/null",
    "\"g\\.h\\|\\n\"", "\\(", "\\)", "\"✓\\\"", "</dev/null", "&&", "||", ";", "|", "&", ">", "$x", "`", "(",
    ")", "\n", "#", "\\", "'", "\"", "{", "}",
    "!", "*", "%", "^", ",",
  ]

  static let tokens =
    plainTokens + [
      "$(", "$((", "${x:-", "}", "\"$(", ")\"", "<<E", "<<'E'", "<<-E", "\nE\n", "\na\n", "eval ", "sh -c ",
      "bash -c ", "if ", "; then ",
      "; fi", "{ ", "; }", "case a in a) ", ";; esac", "for x in a b; do ", "; done", "x=a; ", "$x ", "\\\n",
      "$'", "<(", "\t", "# '\n", "exec ", "command ", "<<<", "| sh", "&& ", "\r", "a\n", "\\'", "\\\"",
      "\"'\"", "'\"'", "$\\\n(",
      "=", "@",
    ]

  /// Returns the calls of a line by its strict reading, if all programs succeed; `nil` if the line is not certain, or
  /// calls other programs.
  static func expectedCalls(of line: String) -> [[String]]? {
    guard let commands = CertainLine(line)?.commands else { return nil }
    var (calls, isSkipped): ([[String]], Bool) = ([], false)
    for command in commands {
      guard let words = command.literals, let first = words.first, programs.contains(first) else {
        return nil
      }
      if command.joint != .pipe { isSkipped = command.joint == .or }
      if !isSkipped { calls.append(words) }
    }
    return calls
  }

  /// Whether the generous reading finds a program in a line.
  static func finds(_ program: String, in line: String) -> Bool {
    CommandStart(program).map { start in
      let possible = PossibleLine(line)
      return possible.mayContain(.start(start)) || !possible.commands(in: .start(start)).isEmpty
    } ?? false
  }
}
