import CLinux
import Glibc

/// Another program that is run to its end, without a terminal and without input.
package enum Program {
  /// The end of a program: its exit status, and what it wrote to standard output.
  package struct Ending: Hashable, Sendable {
    package var status: Int32
    package var output: String
  }

  /// The maximum size of the output in bytes. A program that writes more is ended.
  private static let mostOutput = 1 << 20

  /// Runs a program. The program is looked up in the folders of `PATH`, and inherits the environment.
  ///
  /// - Parameter milliseconds: The maximum time. A program that takes longer is ended.
  /// - Returns: `nil` if the program could not be started, took too long, wrote too much, or was ended by a signal.
  package static func run(_ arguments: [String], within milliseconds: Int32) async -> Ending? {
    await BlockingThread.run { runHere(arguments, within: milliseconds) }
  }

  private static func runHere(_ arguments: [String], within milliseconds: Int32) -> Ending? {
    var ends: [Int32] = [-1, -1]
    // Unlike a pipe, a pair of sockets can be made so that no other child process inherits it.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let process = start(arguments, output: ends[1])
    close(ends[1])
    guard let process else { return nil }
    let output = read(ends[0], within: milliseconds)
    if output == nil { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard let output, status & 0x7f == 0 else { return nil }
    return Ending(status: (status >> 8) & 0xff, output: String(decoding: output, as: UTF8.self))
  }

  /// Starts a program in a session of its own, with no signal blocked or ignored.
  private static func start(_ arguments: [String], output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, process_environment())
    return failure == 0 ? process : nil
  }

  /// Reads until the end. Returns `nil` if the time is over first, or if there is too much to read.
  private static func read(_ descriptor: Int32, within milliseconds: Int32) -> [UInt8]? {
    let end = SystemClock.monotonic.milliseconds + Int64(milliseconds)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < mostOutput {
      let left = end - SystemClock.monotonic.milliseconds
      guard left > 0, !Readable.poll([descriptor], milliseconds: Int32(left)).isEmpty else { return nil }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes.count < mostOutput ? bytes : nil
  }
}
