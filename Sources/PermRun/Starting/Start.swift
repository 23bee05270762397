import CFuse
import CWalls
import Dispatch
import Machine

/// The start of a program behind the walls.
struct Start {
  var arguments: [String]
  var environment: [String]
  var folder: String
  var fuse: String
  /// The soft limit of open files that this process had.
  var descriptors: UInt64
  var ignoredSignals: UInt64

  /// The folders of the system, as far as they are folders on this machine. Nobody is asked about them, and they cost
  /// nothing.
  private static var bound: [String] {
    ["/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"].filter {
      FileStatus($0, followingLinks: false)?.kind == .folder
    }
  }

  /// Starts the program, serves its files, and waits for its end. Returns its exit status.
  ///
  /// The thread that calls this must live as long as the process: the walls fall with it.
  ///
  /// - Parameter prepare: Returns the settings for the run with this first process, which other processes can still see.
  func run(
    _ streams: StandardStreams, prepare: (pid_t) throws(WallsFailure) -> ShadowSettings
  ) throws(WallsFailure) -> Int32 {
    let signals: Signals
    do { signals = try Signals() } catch { throw WallsFailure("\(error)") }
    var channel: [Int32] = [-1, -1]
    guard walls_channel(&channel) == 0 else { throw WallsFailure("cannot make a socket") }
    let builder = streams.lend { begin(channel) }
    close(channel[1])
    guard builder > 0 else {
      throw WallsFailure("cannot make a process: \(SystemError.reason(walls_error()))")
    }
    walls_pass_signals_to(builder)
    let finish = streams.copy()
    let settings = try follow(channel[0], signals) { () throws(WallsFailure) in try prepare(builder) }
    let status = walls_await(builder)
    settings?.rulings.finish()
    finish()
    return status
  }

  /// Serves the files from the moment at which they are mounted, and returns once the program runs.
  ///
  /// - Parameter prepare: Called once the files are mounted, so that no broker is started for a run that cannot be.
  private func follow(
    _ channel: Int32, _ signals: Signals, prepare: () throws(WallsFailure) -> ShadowSettings
  ) throws(WallsFailure) -> ShadowSettings? {
    var report = walls_report()
    var prepared: ShadowSettings?
    while walls_receive(channel, &report) == 1 {
      guard report.step == Int32(walls_step_none.rawValue) else {
        throw WallsFailure(step: UInt32(report.step), code: report.error, fuse: fuse)
      }
      let device = report.descriptor
      let settings = try prepare()
      prepared = settings
      walls_close_to_others()
      let isServing = BlockingThread.start {
        // Without its files, the program would wait forever for the first of them.
        if !ShadowServer.serve(device, settings, signals) {
          settings.notes.note("cannot serve files")
          exit(WallsFailure.status)
        }
      }
      if !isServing { throw WallsFailure("cannot start a thread") }
    }
    return prepared
  }

  private func begin(_ channel: [Int32]) -> pid_t {
    withPointers(arguments) { arguments in
      withPointers(environment) { environment in
        withPointers(Self.bound) { bound in
          folder.withCString { folder in
            fuse.withCString { fuse in
              var start = walls_start(
                arguments: arguments, environment: environment, folder: folder, bound: bound, fuse: fuse,
                ignored_signals: ignoredSignals, descriptors: descriptors)
              return walls_begin(&start, channel[1], channel[0])
            }
          }
        }
      }
    }
  }
}

/// Lends a list of C strings that ends with a null pointer.
private func withPointers<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = texts.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the list ends with a null pointer") }
    return body(base)
  }
}
