import Glibc

/// A program that runs only to be there, for example as a process that a person can look at in a demo.
///
/// It must end when its input ends, which happens when this object goes away, even if this process is killed.
package final class StandInProgram: Sendable {
  package let process: Int32
  private let input: Int32

  /// Starts a program. It is looked up in the folders of `PATH`.
  package init(_ arguments: [String]) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", nil) }
    defer { close(ends[1]) }
    do {
      process = try Program.start(arguments, input: ends[1], output: nil)
      input = ends[0]
    } catch {
      close(ends[0])
      throw error
    }
  }

  deinit {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
