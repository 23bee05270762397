import Foundation

/// A stand-in for `permtui request` that real scripts can run: it reports its process number and waits until released.
///
/// It is a copy of dash under the name `permtui`. It talks over two named pipes, so that it does not matter what a
/// script does with its input and output.
final class WaitingClient: Sendable {
  private let folder: TemporaryFolder
  private let told: Int32
  private let release: Int32

  /// The command line by which a script runs it, free of characters that need quoting.
  let command: String
  /// The command for programs that take a list of arguments.
  let program: String
  let script: String

  struct NothingCame: Error {}

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    program = folder.file("permtui")
    try copyProgram("/bin/dash", to: program)
    // In a sandbox with processes of its own, `$$` is another number than outside, where /proc comes from.
    script = try folder.write(
      """
      read number rest </proc/self/stat
      echo $number >\(folder.file("told"))
      read word <\(folder.file("release"))

      """, to: "client.sh")
    command = "\(program) \(script)"
    mkfifo(folder.file("told"), 0o600)
    mkfifo(folder.file("release"), 0o600)
    // Open for both, so that neither side waits for the other to open.
    told = open(folder.file("told"), O_RDWR | O_CLOEXEC)
    release = open(folder.file("release"), O_RDWR | O_CLOEXEC)
  }

  deinit {
    close(told)
    close(release)
  }

  /// Waits until the client runs, and returns its process number, as seen from here.
  func processNumber() throws -> Int32 {
    var entry = pollfd(fd: told, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 20_000) == 1 else { throw NothingCame() }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(told, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    guard let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw NothingCame()
    }
    return number
  }

  /// Lets the client end.
  func letGo() { _ = write(release, "x\n", 2) }
}

/// Held while a program's file is written and while a process is started. A child has its parent's open files until it
/// executes its own program, and a file that is open for writing cannot be executed.
let programFiles = NSLock()

func copyProgram(_ source: String, to target: String) throws {
  try programFiles.withLock { try FileManager.default.copyItem(atPath: source, toPath: target) }
}

/// Starts a program, calls `look`, and waits for the program's end.
func running<Result>(
  _ arguments: [String], in folder: String, _ look: (Int32) throws -> Result
) throws -> Result {
  let child = try start(arguments, in: folder)
  defer { _ = waitForEnd(of: child) }
  return try look(child)
}

/// Starts a program without input or output.
///
/// Foundation's `Process` needs a run loop to see an end, and the threads that tests run on have none.
func start(_ arguments: [String], in folder: String = "/") throws -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in Int32(0)...2 {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  let command = ["env", "-C", folder] + arguments
  var words = command.map { strdup($0) } + [nil]
  defer { words.forEach { free($0) } }
  var child: pid_t = 0
  let failure = programFiles.withLock { posix_spawnp(&child, command[0], &actions, nil, &words, environ) }
  guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
  return child
}

/// Waits until a child has ended, and returns its exit status.
@discardableResult
func waitForEnd(of child: Int32) -> Int32 {
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  return (status >> 8) & 0xff
}
