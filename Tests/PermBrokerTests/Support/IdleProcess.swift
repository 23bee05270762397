import Foundation
import Machine
import PermModel

@testable import PermBroker

/// A process that works in a folder, and does nothing until the test ends. Its environment has only a search path.
final class IdleProcess: Sendable {
  let identity: ProcessIdentity
  /// The folder of the named pipe at which the process waits.
  private let place: TemporaryFolder

  struct NotStarted: Error {}

  init(in folder: String) throws {
    place = try TemporaryFolder()
    let (ready, never) = (place.file("ready"), place.file("never"))
    mkfifo(ready, 0o600)
    mkfifo(never, 0o600)
    // Open for both, so that opening it does not wait for the process.
    let pipe = open(ready, O_RDWR | O_CLOEXEC)
    defer { close(pipe) }
    let pid = try start(
      ["env", "-i", "PATH=/usr/bin:/bin", "sh", "-c", "echo >\(ready); read word <\(never)"], in: folder)
    var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 20_000) == 1, let stat = ProcessStat(of: pid) else {
      kill(pid, SIGKILL)
      waitForEnd(of: pid)
      throw NotStarted()
    }
    identity = ProcessIdentity(pid: pid, startTime: stat.startTime)
  }

  /// The program that tests see, as if it were this process.
  var program: IdentifiedProgram {
    var program = TestBroker.program("/home/ana/bin/backup.sh")
    program.peer = identity
    program.evidence.process = identity
    return program
  }

  /// The same program, as it is seen after its working folder has moved.
  func program(in folder: String) -> IdentifiedProgram {
    var program = program
    program.evidence.workingDirectory = folder
    return program
  }

  func end() {
    kill(identity.pid, SIGKILL)
    waitForEnd(of: identity.pid)
  }
}
