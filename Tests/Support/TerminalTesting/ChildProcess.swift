import CVTerm
import Glibc

/// A process that a test started, as the leader of its own session.
final class ChildProcess {
  let identifier: pid_t
  /// Readable once the process has ended.
  let descriptor: Int32
  private var ending: ProcessEnding?

  /// Starts the program with the pseudo-terminal as its controlling terminal, without `fork`, which a process with
  /// threads cannot use safely.
  init(_ program: TestedProgram, on terminal: PseudoTerminal) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session leader opens becomes its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    identifier = try Self.spawn(program, &actions)
    descriptor = try Self.watch(identifier)
  }

  /// Starts the program without input and without a terminal; its output goes to two new files.
  init(_ program: TestedProgram, output: String, messages: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    identifier = try Self.spawn(program, &actions)
    descriptor = try Self.watch(identifier)
  }

  private static func watch(_ process: pid_t) throws -> Int32 {
    let descriptor = cvterm_pidfd(process)
    guard descriptor >= 0 else { throw SystemError("watch process \(process)") }
    return descriptor
  }

  deinit {
    if ending == nil {
      kill(-identifier, SIGKILL)
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
    close(descriptor)
  }

  private static func spawn(
    _ program: TestedProgram, _ actions: UnsafePointer<posix_spawn_file_actions_t>
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID, which the headers hide.
    let newSession: Int32 = 0x80
    let flags = newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
    var environment = program.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in arguments + environment { free(string) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program.path, actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw SystemError("start \(program.path)", code: code) }
    return process
  }

  /// Waits until a signal has stopped the process, or until it has ended.
  func waitForStop() {
    var information = siginfo_t()
    waitid(P_PID, id_t(identifier), &information, WSTOPPED | WEXITED | WNOWAIT)
  }

  /// Returns the way in which the process ended; call it only once ``descriptor`` is readable.
  func reap() -> ProcessEnding {
    if let ending { return ending }
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    let signal = status & 0x7f
    let result: ProcessEnding = signal == 0 ? .exit(code: (status >> 8) & 0xff) : .signal(signal)
    ending = result
    return result
  }
}

/// The way in which a process ended.
public enum ProcessEnding: Equatable, Sendable {
  case exit(code: Int32)
  case signal(Int32)
}
