import CVTerm
import Glibc

/// A pseudo-terminal: the window's end, and the name of the program's end.
public final class PseudoTerminal {
  /// The window's end; -1 once it is closed.
  public private(set) var descriptor: Int32
  /// The file that a program opens as its terminal.
  public let path: String

  public init(columns: Int, rows: Int) throws {
    // Closed in every child from the start: a child with this end would keep the terminal from hanging up.
    descriptor = cvterm_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open a pseudo-terminal") }
    var name = [CChar](repeating: 0, count: 128)
    guard cvterm_ptsname(descriptor, &name, name.count) == 0 else {
      throw SystemError("name a pseudo-terminal")
    }
    path = name.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    resize(columns: columns, rows: rows)
  }

  deinit { hangUp() }

  /// Gives the window another size. The program in it gets SIGWINCH.
  public func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the window: the program in it gets SIGHUP, and its terminal is gone.
  public func hangUp() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  /// Opens the program's end, for tests that play the program themselves.
  public func openProgramEnd() throws -> Int32 {
    let end = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard end >= 0 else { throw SystemError("open \(path)") }
    return end
  }

  /// The terminal's present settings for lines, echo and signals, in comparable form.
  public var mode: TerminalMode {
    var mode = termios()
    tcgetattr(descriptor, &mode)
    return TerminalMode(
      input: mode.c_iflag, output: mode.c_oflag, control: mode.c_cflag, local: mode.c_lflag)
  }

  /// Writes the keys of a person or the replies of a terminal.
  public func send(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

/// The flags of a terminal's mode.
public struct TerminalMode: Equatable, Sendable {
  var input: tcflag_t
  var output: tcflag_t
  var control: tcflag_t
  var local: tcflag_t
}

/// A failed system call in a test's own machinery.
public struct SystemError: Error, CustomStringConvertible {
  public let description: String

  init(_ what: String, code: Int32 = errno) {
    description = "cannot \(what): \(String(cString: strerror(code)))"
  }
}
