import CFuse
import CWalls
import Dispatch
import Machine

/// The standard streams of the program behind the walls.
///
/// A program can open again what a descriptor refers to, with other rights, and go up from a folder. So it gets pipes and
/// /dev/null as they are, a terminal of its own in the place of the person's, and everything else through a pipe.
struct StandardStreams {
  /// The ends of pipes that the program gets in place of its streams.
  private var given: [(stream: Int32, end: Int32)] = []
  private var copies: [(from: Int32, to: Int32, isOutput: Bool)] = []

  /// - Parameter terminal: The person's terminal, which the builder replaces; `nil` if there is none.
  init(_ terminal: PersonTerminal?) throws(SystemError) {
    for stream in Int32(0)...2 where terminal?.replaces(stream) != true && !Self.mayBeGiven(stream) {
      var pipe: [Int32] = [-1, -1]
      guard walls_blocking_pipe(&pipe) == 0 else { throw SystemError("make a pipe", code: walls_error()) }
      let isOutput = stream != 0
      given.append((stream, isOutput ? pipe[1] : pipe[0]))
      copies.append(
        (isOutput ? pipe[0] : walls_duplicate(stream), isOutput ? walls_duplicate(stream) : pipe[1], isOutput)
      )
    }
  }

  private static func mayBeGiven(_ stream: Int32) -> Bool {
    var status = stat()
    guard fstat(stream, &status) == 0 else { return walls_open_null(stream) >= 0 }
    var null = stat()
    stat("/dev/null", &null)
    switch status.st_mode & UInt32(S_IFMT) {
    case UInt32(S_IFIFO): return true
    case UInt32(S_IFCHR): return status.st_rdev == null.st_rdev
    default: return false
    }
  }

  /// Runs a closure while this process has the program's streams, so that a child inherits them.
  func lend<Result>(_ body: () -> Result) -> Result {
    let kept = given.map { ($0.stream, walls_duplicate($0.stream)) }
    for (stream, end) in given {
      dup2(end, stream)
      close(end)
    }
    defer {
      for (stream, own) in kept {
        dup2(own, stream)
        close(own)
      }
    }
    return body()
  }

  /// Copies what the program reads and writes, until it ends. Returns a closure that waits for the last of its output.
  func copy() -> () -> Void {
    let done = copies.filter(\.isOutput).map { _ in DispatchSemaphore(value: 0) }
    var outputs = done.makeIterator()
    for (from, to, isOutput) in copies {
      let end = isOutput ? outputs.next() : nil
      BlockingThread.start {
        Self.copy(from, to)
        end?.signal()
      }
    }
    return { done.forEach { $0.wait() } }
  }

  private static func copy(_ from: Int32, _ to: Int32) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    defer { [from, to].forEach { _ = close($0) } }
    while true {
      let count = read(from, &bytes, bytes.count)
      if count < 0, walls_error() == EINTR { continue }
      guard count > 0, write(all: bytes[..<count], to: to) else { return }
    }
  }

  private static func write(all bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { CFuse.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || walls_error() == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
