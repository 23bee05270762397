import CFuse
import CWalls
import Dispatch
import Machine
import PermModel

/// The start of a program behind the walls.
struct Start {
  var arguments: [String]
  var environment: [String]
  var folder: String
  /// The folders that are used as they are outside.
  var native: [NativeFolder] = []
  var fuse: String
  /// The soft limit of open files that this process had.
  var descriptors: UInt64
  var ignoredSignals: UInt64
  /// The person's terminal; `nil` if there is none.
  var terminal: PersonTerminal?

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
    let job: JobEnds?
    if let terminal { job = try JobEnds(terminal) } else { job = nil }
    let builder = streams.lend { begin(channel, job) }
    close(channel[1])
    guard builder > 0 else {
      throw WallsFailure("cannot make a process: \(SystemError.reason(walls_error()))")
    }
    walls_pass_signals_to(builder)
    let jobSignals = try Self.watch(job)
    let finish = streams.copy()
    let (settings, window) = try follow(channel[0], signals, builder) {
      () throws(WallsFailure) in try prepare(builder)
    }
    let finishTerminal = try Self.relay(job, window, jobSignals)
    let status = walls_await(builder)
    settings?.rulings.finish()
    finish()
    finishTerminal()
    settings?.answerer.finish()
    settings?.endCopies()
    return status
  }

  /// Begins to watch for the signals of a job, before there are other threads.
  private static func watch(_ job: JobEnds?) throws(WallsFailure) -> Int32 {
    guard let job else { return -1 }
    close(job.given)
    let signals = walls_watch_job_signals()
    guard signals >= 0 else { throw WallsFailure("cannot watch for signals") }
    return signals
  }

  private static func relay(
    _ job: JobEnds?, _ window: Int32, _ signals: Int32
  ) throws(WallsFailure) -> () -> Void {
    guard let job else { return {} }
    guard window >= 0 else { return job.terminal.finish }
    return try TerminalRelay.start(job, window: window, signals: signals)
  }

  /// Serves the files and the network from the moment at which the builder hands them over, and returns once the program
  /// runs, with the settings and the window's end of its terminal; -1 if it has none.
  ///
  /// - Parameter prepare: Called once the files are mounted, so that no broker is started for a run that cannot be.
  private func follow(
    _ channel: Int32, _ signals: Signals, _ builder: pid_t,
    prepare: () throws(WallsFailure) -> ShadowSettings
  ) throws(WallsFailure) -> (ShadowSettings?, window: Int32) {
    var report = walls_report()
    var gifts = NetworkGifts()
    var prepared: ShadowSettings?
    var window: Int32 = -1
    while walls_receive(channel, &report) == 1 {
      guard report.step == Int32(walls_step_none.rawValue) else {
        throw WallsFailure(step: UInt32(report.step), code: report.error, fuse: fuse)
      }
      if report.gift == Int32(walls_gift_files.rawValue) {
        let settings = try prepare()
        prepared = settings
        walls_close_to_others()
        try serveFiles(report.descriptor, settings, signals)
      } else if report.gift == Int32(walls_gift_terminal.rawValue) {
        window = report.descriptor
      } else if gifts.take(report), let prepared {
        try serveNetwork(gifts, prepared, builder)
      }
    }
    return (prepared, window)
  }

  private func serveFiles(
    _ device: Int32, _ settings: ShadowSettings, _ signals: Signals
  ) throws(WallsFailure) {
    let isServing = BlockingThread.start {
      // Without its files, the program would wait forever for the first of them.
      if !ShadowServer.serve(device, settings, signals) {
        settings.notes.note("cannot serve files")
        exit(WallsFailure.status)
      }
    }
    if !isServing { throw WallsFailure("cannot start a thread") }
  }

  private func serveNetwork(
    _ gifts: NetworkGifts, _ settings: ShadowSettings, _ builder: pid_t
  ) throws(WallsFailure) {
    let network = NetworkSettings(
      rulings: settings.rulings, answerer: settings.answerer, hidden: settings.hidden, notes: settings.notes)
    guard let warden = try? NetworkWarden(network, gifts, builder: builder), warden.start(gifts) else {
      throw WallsFailure("cannot serve the network")
    }
  }

  private func begin(_ channel: [Int32], _ job: JobEnds?) -> pid_t {
    withPointers(arguments) { arguments in
      withPointers(environment) { environment in
        withFolders { folder, bound, native, kept, nativeFolders in
          fuse.withCString { fuse in
            var start = walls_start(
              arguments: arguments, environment: environment, folder: folder, bound: bound, native: native,
              native_folders: nativeFolders, kept: kept, fuse: fuse,
              ignored_signals: ignoredSignals, descriptors: descriptors,
              terminal_streams: terminal?.streams ?? 0, is_in_front: job?.isInFront == true ? 1 : 0,
              job: job?.given ?? -1, other_job: job?.own ?? -1)
            return walls_begin(&start, channel[1], channel[0])
          }
        }
      }
    }
  }

  private typealias Texts = UnsafePointer<UnsafePointer<CChar>?>

  /// Lends the working folder, the folders of the system, and those that are used as they are outside.
  private func withFolders<Result>(
    _ body: (UnsafePointer<CChar>, Texts, Texts, Texts, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    withPointers(SystemFiles.bound) { bound in
      withPointers(native.map(\.path.decoded)) { paths in
        withPointers(native.flatMap(\.kept)) { kept in
          folder.withCString { folder in
            native.map(\.descriptor).withUnsafeBufferPointer {
              body(folder, bound, paths, kept, $0.baseAddress)
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

extension ShadowSettings {
  /// Tells what was changed in the private copies and goes with them, and removes them.
  func endCopies() {
    guard let copies else { return }
    for file in copies.changedSettings {
      let name = HomeFolder.shortened(String(decoding: file.bytes, as: UTF8.self))
      notes.note(
        "\(name) was changed in the run's own copy only, which is gone; change it outside of the walls")
    }
    copies.remove()
  }
}
