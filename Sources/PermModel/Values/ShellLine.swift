/// A line for a shell. It is never executed here, only taken apart as far as its meaning is certain.
package struct ShellLine: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// The words of a line that consists of plain words separated by single spaces. `nil` if the line contains any sign
  /// that a shell treats specially, so that the words could mean something else.
  package var plainWords: [Substring]? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.allSatisfy(Self.isPlain) ? words : nil
  }

  private static func isPlain(_ word: Substring) -> Bool {
    // A shell replaces a tilde only at the start of a word, or behind a colon or an equals sign in an assignment.
    guard let first = word.utf8.first, first != UInt8(ascii: "~") else { return false }
    return !word.contains("=~") && !word.contains(":~") && word.utf8.allSatisfy(plainBytes.contains)
  }

  private static let plainBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,^~-".utf8)
}

// MARK: - Joined lines

extension ShellLine {
  /// The commands that the line joins with `&&`, `||`, `;` or `|`, in order. The result is the line alone if the line
  /// joins nothing, or if it cannot be taken apart with certainty.
  package var parts: [String] {
    guard let pieces, (2...Self.mostParts).contains(pieces.count) else { return [text] }
    let isCertain = pieces.allSatisfy { !Self.changesOthers($0.text) && !$0.runsItsInput }
    return isCertain ? pieces.map(\.text) : [text]
  }

  /// The greatest number of commands into which a line is taken apart.
  private static let mostParts = 32

  /// A command in a joined line.
  private struct Piece {
    var text: String
    /// Whether the command reads what the command before it prints.
    var isPipedInto: Bool

    /// Whether the command could run what it reads, so that the command before it decides what is run.
    var runsItsInput: Bool {
      isPipedInto && ShellLine.words(text).first.map(ShellLine.onlyReading.contains) != true
    }
  }

  /// The pieces between the joining signs. `nil` if the line contains a substitution, a redirection, a background
  /// command, a group, a line break, or a quotation mark that is not closed.
  ///
  /// The line is read byte by byte, as a shell does: a sign with an accent upon it is still that sign.
  private var pieces: [Piece]? {
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var (start, index, isPipedInto) = (0, 0, false)
    var quote: UInt8?
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote {
        quote = nil
      } else if quote == nil, Self.quotes.contains(byte) {
        quote = byte
      } else if Self.isUncertain(byte, inside: quote) {
        return nil
      } else if quote == nil, Self.joining.contains(byte) {
        guard let width = Self.width(ofJoint: bytes[index...]) else { return nil }
        guard let piece = Self.piece(bytes[start..<index], isPipedInto) else { return nil }
        pieces.append(piece)
        isPipedInto = byte == UInt8(ascii: "|") && width == 1
        index += width
        start = index
        continue
      }
      index += 1
    }
    guard quote == nil, let last = Self.piece(bytes[start...], isPipedInto) else { return nil }
    return pieces + [last]
  }

  /// Returns a piece without the blanks around it; `nil` if it consists of blanks. For a shell, only a space and a tab
  /// are blanks; other spaces belong to a word.
  private static func piece(_ bytes: ArraySlice<UInt8>, _ isPipedInto: Bool) -> Piece? {
    guard let first = bytes.firstIndex(where: { !blanks.contains($0) }),
      let last = bytes.lastIndex(where: { !blanks.contains($0) })
    else { return nil }
    return Piece(text: String(decoding: bytes[first...last], as: UTF8.self), isPipedInto: isPipedInto)
  }

  private static let blanks = Array(" \t".utf8)
  private static let quotes = Array("'\"".utf8)
  private static let joining = Array("&|;".utf8)
  /// Signs that mean something else inside quotation marks, or outside of any.
  private static let special = (inQuotes: Array("$`\\!".utf8), outside: Array("$`\\!<>(){}#".utf8))

  private static func isUncertain(_ byte: UInt8, inside quote: UInt8?) -> Bool {
    if byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7f { return true }
    switch quote {
    case UInt8(ascii: "'"): return false
    case nil: return special.outside.contains(byte)
    default: return special.inQuotes.contains(byte)
    }
  }

  /// Returns the length of the joining sign at the start of a text; `nil` if it means something else, as `&` does.
  private static func width(ofJoint text: ArraySlice<UInt8>) -> Int? {
    let run = String(decoding: text.prefix { joining.contains($0) }, as: UTF8.self)
    return ["&&": 2, "||": 2, "|": 1, ";": 1][run]
  }

  /// Whether a command changes what the commands after it mean.
  private static func changesOthers(_ command: String) -> Bool {
    guard let first = words(command).first else { return true }
    // A pattern could stand for any command.
    return shellWords.contains(first) || first.contains(anyOf: "=*?[")
  }

  private static let shellWords: Set<String> = [
    "cd", "chdir", "pushd", "popd", "dirs", "exec", "eval", "source", ".", "export", "alias", "unalias",
    "function", "set", "setopt", "unsetopt", "emulate", "shopt", "trap", "unset", "declare", "typeset",
    "local", "readonly", "integer", "float", "enable", "disable", "hash", "unhash", "rehash", "umask",
    "ulimit", "limit", "unlimit", "builtin", "command", "noglob", "nocorrect", "-", "if", "then", "elif",
    "else", "fi", "for", "foreach", "while", "until", "repeat", "do", "done", "case", "esac", "select", "in",
    "time", "coproc", "[[", "return", "exit", "logout", "break", "continue", "shift", "wait", "read",
    "readarray", "mapfile", "vared", "getopts", "let", "printf", "print", "setenv", "unsetenv", "autoload",
    "unfunction", "functions", "zmodload", "bind", "bindkey", "complete", "compgen", "history", "fc", "sched",
    "newgrp",
  ]

  /// Programs that only read their input and print. Any other program might run what it reads.
  private static let onlyReading: Set<String> = [
    "cat", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "grep", "nl", "rev", "column",
  ]
}

// MARK: - Commands that could answer for the person

extension ShellLine {
  /// Whether the line could start a program outside of the asking program's reach, or one that answers requests. Such a
  /// line is asked about each time, and can be allowed only exactly and once.
  ///
  /// That also holds for a line of so many commands that it is not taken apart: one of them might be denied.
  package var isAlwaysAsked: Bool {
    commands.contains(where: Self.reachesOut) || (pieces?.count ?? 0) > Self.mostParts
  }

  private static func reachesOut(_ command: String) -> Bool {
    let words = wordsFromProgram(command)
    guard let first = words.first else { return false }
    // A pattern could stand for any program.
    if first.contains(anyOf: "*?[") { return true }
    // Nearly every program could start the one that a word names.
    if !onlyNaming.contains(first), words.contains(where: { program($0).hasPrefix("permtui") }) {
      return true
    }
    guard wrappers.contains(program(first)) else { return isReaching(program(first)) }
    let all = words.flatMap { $0.split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) } }
    return all.contains { isReaching(String($0)) }
  }

  /// The words of a command from its program on, without the assignments and redirections before it.
  private static func wordsFromProgram(_ command: String) -> ArraySlice<String> {
    var words = words(command)[...]
    while let word = words.first {
      let unnumbered = word.unicodeScalars.drop { $0.properties.numericType != nil }
      if unnumbered.isEmpty || word.contains(anyOf: "=") {
        words.removeFirst()
      } else if let sign = unnumbered.first, "<>".unicodeScalars.contains(sign) {
        let target = unnumbered.drop { "<>".unicodeScalars.contains($0) }
        words = words.dropFirst(target.isEmpty ? 2 : 1)
      } else {
        break
      }
    }
    return words
  }

  private static func isReaching(_ program: String) -> Bool {
    reaching.contains(program) || program.hasPrefix("permtui")
  }

  private static let reaching: Set<String> = [
    "tmux", "screen", "crontab", "at", "batch", "systemctl", "systemd-run", "gdbus", "busctl", "dbus-send",
  ]
  /// Programs that never start another one, however its name comes up.
  private static let onlyNaming = onlyReading.union(["ls", "stat", "du", "cd", "echo", "mkdir", "man"])

  private static let wrappers: Set<String> = [
    "env", "sudo", "doas", "su", "runuser", "pkexec", "command", "builtin", "exec", "nohup", "time", "xargs",
    "setsid", "setpriv", "nice", "ionice", "chrt", "taskset", "stdbuf", "timeout", "flock", "sh", "bash",
    "dash", "zsh", "ksh", "fish", "busybox", "eval", "find", "parallel", "watch", "script", "unbuffer",
    "unshare", "nsenter", "chroot", "bwrap", "strace", "ltrace", "ssh", "dbus-run-session", "systemd-inhibit",
    "coproc", "noglob", "nocorrect", "if", "then", "elif", "else", "while", "until", "do", "!", "case", "in",
    "for", "function",
  ]

  /// Whether a program runs the command that it is given.
  ///
  /// - Parameter name: The file name of the program.
  package static func isWrapper(_ name: String) -> Bool { wrappers.contains(name) }

  /// The commands in the line, by a rough reading that can find more commands than there are.
  private var commands: [String] {
    // Inside braces, a comma can separate the words of a command.
    let separators = text.utf8.contains(UInt8(ascii: "{")) ? "&|;()`\n\r{}," : "&|;()`\n\r"
    // A shell joins lines at a backslash.
    let joined = text.replacing("\\\r\n", with: "").replacing("\\\n", with: "")
    let pieces = joined.unicodeScalars.split { separators.unicodeScalars.contains($0) }
    return pieces.map { String(String($0).drop { "!$ \t".contains($0) }) }
  }

  /// The words of a command, without quotation marks and backslashes.
  private static func words(_ command: String) -> [String] {
    let kept = command.unicodeScalars.filter { !"'\"\\".unicodeScalars.contains($0) }
    return kept.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
  }

  private static func program(_ word: String) -> String {
    word.split(separator: "/").last.map(String.init) ?? word
  }
}

extension String {
  /// Whether the text contains one of some signs. A sign with an accent upon it is still that sign.
  fileprivate func contains(anyOf signs: String) -> Bool {
    unicodeScalars.contains { signs.unicodeScalars.contains($0) }
  }
}

// MARK: - Single words

extension ShellLine {
  /// Creates the line that runs a program without arguments. A name that a shell would not read as a plain word is put in
  /// quotation marks.
  package init(word: String) {
    let isPlain = Self.isPlain(word[...]) && !word.isEmpty && !word.utf8.contains(UInt8(ascii: "="))
    self.init(isPlain ? word : word.inShellQuotes)
  }
}
