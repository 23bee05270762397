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
    guard let ends = UnixSockets.pair() else { return nil }
    defer { close(ends.own) }
    let process = try? start(arguments, output: ends.other)
    close(ends.other)
    guard let process else { return nil }
    let output = read(ends.own, within: milliseconds)
    if output == nil { kill(process, SIGKILL) }
    let status = status(of: process)
    guard let output, status & 0x7f == 0 else { return nil }
    return Ending(status: (status >> 8) & 0xff, output: String(decoding: output, as: UTF8.self))
  }

  /// Starts a program in a session of its own, with no signal blocked or ignored.
  ///
  /// - Parameters:
  ///   - input: The descriptor from which the program reads; `nil` if it has nothing to read.
  ///   - output: The descriptor to which the program writes; `nil` to discard what it writes.
  ///   - errors: The descriptor to which the program writes its messages; `nil` to discard them.
  ///   - variables: Environment variables that the program has besides those of this process.
  package static func start(
    _ arguments: [String], input: Int32? = nil, output: Int32?, errors: Int32? = nil,
    adding variables: [String: String] = [:]
  ) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    if let errors {
      posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSessionAndSignals(of: &attributes)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    // Of two variables with the same name, programs use the first.
    let added: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") }
    defer { for variable in added { free(variable) } }
    var environment = added + inherited + [nil]
    var process: pid_t = 0
    let failure = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &environment)
    guard failure == 0 else { throw SystemError("posix_spawn", arguments[0], code: failure) }
    return process
  }

  /// Replaces this process by another program, with the same environment, standard streams and working folder. Returns
  /// only if that fails.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in the folders of `PATH`, and its arguments.
  ///   - removed: An environment variable that the program does not get.
  package static func replaceThis(with arguments: [String], without removed: String? = nil) -> SystemError {
    if let removed { unsetenv(removed) }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    if let program = words[0] { execvp(program, &words) }
    let code = errno
    for word in words { free(word) }
    return SystemError("start", arguments[0], code: code)
  }

  /// Runs a program to its end, and discards what it writes. The program is looked up in the folders of `PATH`.
  ///
  /// - Parameters:
  ///   - variables: Environment variables that the program has besides those of this process.
  ///   - milliseconds: The maximum time. A program that takes longer is ended, with all processes of its session's group.
  /// - Returns: The reason why the program did not succeed, in words; `nil` if it ended with the status 0.
  package static func perform(
    _ arguments: [String], adding variables: [String: String], within milliseconds: Int32
  ) async -> String? {
    await BlockingThread.run { performHere(arguments, variables, within: milliseconds) }
  }

  private static func performHere(
    _ arguments: [String], _ variables: [String: String], within milliseconds: Int32
  ) -> String? {
    let process: pid_t
    do {
      process = try start(arguments, output: nil, adding: variables)
    } catch {
      return "it cannot be started: \(SystemError.reason(error.code))"
    }
    let hasEnded = waitForEnd(of: process, milliseconds)
    if !hasEnded { kill(-process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard hasEnded else { return "it took longer than \(milliseconds / 1000) seconds, and was ended" }
    if status & 0x7f != 0 { return "signal \(status & 0x7f) ended it" }
    let code = (status >> 8) & 0xff
    return code == 0 ? nil : "it ended with status \(code)"
  }

  /// Waits until a child has ended. Returns `false` if the time is over first.
  package static func waitForEnd(of process: Int32, _ milliseconds: Int32) -> Bool {
    let descriptor = pidfd_of_process(process)
    // Without a descriptor, there is no way to wait for a limited time, so the program is ended.
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return !Readable.poll([descriptor], milliseconds: milliseconds).isEmpty
  }

  /// The environment variables of this process, byte for byte.
  private static var inherited: [UnsafeMutablePointer<CChar>?] {
    var found: [UnsafeMutablePointer<CChar>?] = []
    var next = process_environment()
    while let variable = next?.pointee {
      found.append(variable)
      next? += 1
    }
    return found
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

// MARK: Apart from this process

extension Program {
  /// Starts a program that goes on when this process and its login have ended: in a session of its own, in the folder
  /// `/`, without a descriptor of this process, and with only the given environment.
  ///
  /// - Parameter arguments: The absolute path of the program, and its arguments.
  package static func startApart(
    _ arguments: [String], environment: [String: String]
  ) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY),
    ] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
    }
    spawn_in_folder(&actions, "/")
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSessionAndSignals(of: &attributes)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    keepInheritedDescriptors()
    var process: pid_t = 0
    let failure = posix_spawn(&process, arguments[0], &actions, &attributes, &words, &variables)
    guard failure == 0 else { throw SystemError("start", arguments[0], code: failure) }
    return process
  }

  /// Marks all descriptors but the standard streams, so that no program gets them. Those that this process has opened are
  /// marked already.
  private static func keepInheritedDescriptors() {
    for descriptor in Folder.names(in: "/proc/self/fd").compactMap({ Int32($0) })
    where descriptor > STDERR_FILENO {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Makes a program the leader of a session, with no signal blocked or ignored.
  static func setSessionAndSignals(of attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

// MARK: - Programs that print a line for each event

extension Program {
  /// Runs a program until it ends or the task is cancelled, and reports the lines that it prints.
  ///
  /// - Parameter report: Receives whole lines, without the last line end. Lines that arrive together are reported together.
  /// - Returns: The status of `waitpid`; `nil` if the program could not be started.
  package static func follow(
    _ arguments: [String], _ report: @escaping @Sendable (ArraySlice<UInt8>) -> Void
  ) async -> Int32? {
    guard let ends = UnixSockets.pair() else { return nil }
    let process = try? start(arguments, output: ends.other)
    close(ends.other)
    defer { close(ends.own) }
    guard let process else { return nil }
    return await withTaskCancellationHandler {
      await BlockingThread.run {
        readLines(ends.own, report)
        return status(of: process)
      }
    } onCancel: {
      // The reader finds the end, and the program finds nobody who reads any longer.
      shutdown(ends.own, Int32(SHUT_RDWR))
    }
  }

  /// Waits for the end of a child process.
  package static func status(of process: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The number of bytes after which lines are reported although more have arrived.
  private static let longestBurst = 4 << 20

  private static func readLines(_ descriptor: Int32, _ report: (ArraySlice<UInt8>) -> Void) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count > 0 { rest += buffer[..<count] }
      // A long list arrives in parts, and is worth reporting once.
      let isBurst = count > 0 && rest.count < longestBurst
      if isBurst, !Readable.poll([descriptor], milliseconds: 0).isEmpty { continue }
      if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
        report(rest[..<end])
        rest.removeSubrange(...end)
      }
      guard count > 0 else { return }
    }
  }
}
