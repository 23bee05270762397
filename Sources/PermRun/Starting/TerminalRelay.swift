import CFuse
import CWalls
import Dispatch
import Machine

/// The ends that the warden needs to give the program a terminal and a job of its own.
struct JobEnds: Sendable {
  let terminal: PersonTerminal
  /// Whether the program begins with its terminal.
  let isInFront: Bool
  /// The warden's end of the sockets of the job, and that of pid 1.
  let own: Int32
  let given: Int32

  init(_ terminal: PersonTerminal) throws(WallsFailure) {
    self.terminal = terminal
    isInFront = terminal.isForProgram && terminal.isInFront
    var ends: [Int32] = [-1, -1]
    guard walls_job_sockets(&ends) == 0 else { throw WallsFailure("cannot make a socket") }
    (own, given) = (ends[0], ends[1])
  }
}

/// The bytes on their way between the person's terminal and the run's own, which are not changed.
struct TerminalRelay: Sendable {
  private let ends: JobEnds
  private let signals: Int32
  /// The window's end of the run's terminal; -1 once it is closed.
  private var window: Int32
  /// The descriptor at which pid 1 tells that the program has stopped; -1 once pid 1 is gone.
  private var stops: Int32
  private var job: Job
  private var keys: [UInt8] = []
  private var output: [UInt8] = []

  private init(_ ends: JobEnds, window: Int32, signals: Int32) {
    (self.ends, self.window, self.signals, stops) = (ends, window, signals, ends.own)
    job = Job(wantsKeys: ends.terminal.isForProgram)
  }

  /// Starts a thread that carries everything until the program's end. Returns a closure that waits for the last of its
  /// output, and puts the modes back.
  ///
  /// - Parameter signals: The descriptor for the signals of the job.
  static func start(_ ends: JobEnds, window: Int32, signals: Int32) throws(WallsFailure) -> () -> Void {
    let done = DispatchSemaphore(value: 0)
    let relay = TerminalRelay(ends, window: window, signals: signals)
    let isRunning = BlockingThread.start {
      var relay = relay
      relay.run()
      done.signal()
    }
    if !isRunning { throw WallsFailure("cannot start a thread") }
    return {
      done.wait()
      ends.terminal.finish()
    }
  }

  private mutating func run() {
    perform(job.begin(ends.terminal.isInFront, asPromised: ends.isInFront))
    while window >= 0 { step() }
  }

  private static let canRead = Int16(POLLIN)
  private static let canWrite = Int16(POLLOUT)
  private static let isGone = Int16(POLLHUP | POLLERR | POLLNVAL)

  private mutating func step() {
    let forPerson = (job.hasKeys && keys.isEmpty ? Self.canRead : 0) | (output.isEmpty ? 0 : Self.canWrite)
    let forWindow = (output.isEmpty ? Self.canRead : 0) | (keys.isEmpty ? 0 : Self.canWrite)
    // A descriptor about which nothing is asked would still tell of a hang-up, again and again.
    var sources = [
      walls_source(descriptor: forPerson == 0 ? -1 : ends.terminal.descriptor, wanted: forPerson, found: 0),
      walls_source(descriptor: forWindow == 0 ? -1 : window, wanted: forWindow, found: 0),
      walls_source(descriptor: stops, wanted: Self.canRead, found: 0),
      walls_source(descriptor: signals, wanted: Self.canRead, found: 0),
    ]
    guard walls_poll(&sources, 4) == 1 else { return }
    if sources[3].found != 0 { takeSignal() }
    if sources[2].found != 0 { takeStop() }
    if sources[0].found != 0 { servePerson(sources[0].found) }
    if window >= 0, sources[1].found != 0 { serveWindow(sources[1].found) }
  }

  // MARK: Bytes

  private mutating func servePerson(_ events: Int16) {
    let isGone = events & Self.isGone != 0
    if !output.isEmpty, !send(&output, to: ends.terminal.descriptor) || isGone { return hangUp() }
    guard job.hasKeys, keys.isEmpty, events & (Self.canRead | Self.isGone) != 0 else { return }
    switch Self.bytes(from: ends.terminal.descriptor) {
    case .some(let bytes): keys = bytes
    case nil where isGone || ends.terminal.isInFront: hangUp()
    case nil: job.lostFront()
    }
  }

  private mutating func serveWindow(_ events: Int16) {
    if !keys.isEmpty, !send(&keys, to: window) || events & Self.isGone != 0 { keys = [] }
    guard output.isEmpty, events & (Self.canRead | Self.isGone) != 0 else { return }
    guard let bytes = Self.bytes(from: window) else { return closeWindow() }
    output =
      job.hasKeys || walls_adds_returns(ends.terminal.descriptor) == 0 ? bytes : Self.withoutReturns(bytes)
  }

  /// The person's terminal is gone, and so the run's own hangs up.
  private mutating func hangUp() {
    output = []
    closeWindow()
  }

  private mutating func closeWindow() {
    close(window)
    window = -1
  }

  /// The person's terminal puts the returns before the ends of lines, as the run's own has done.
  private static func withoutReturns(_ bytes: [UInt8]) -> [UInt8] {
    let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    return bytes.indices.filter { index in
      let isBeforeEnd = index + 1 < bytes.count && bytes[index + 1] == feed
      return bytes[index] != carriage || !isBeforeEnd
    }.map { bytes[$0] }
  }

  /// Returns what can be read now; `nil` if nothing will come.
  private static func bytes(from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes[..<count]) }
    return count < 0 && [EAGAIN, EINTR].contains(walls_error()) ? [] : nil
  }

  /// Writes as much as there is room for. Returns whether the rest can be written later.
  private func send(_ bytes: inout [UInt8], to descriptor: Int32) -> Bool {
    let count = write(descriptor, bytes, bytes.count)
    if count > 0 { bytes.removeFirst(count) }
    return count >= 0 || [EAGAIN, EINTR].contains(walls_error())
  }

  // MARK: The job

  private mutating func takeSignal() {
    let signal = walls_next_signal(signals)
    perform(job.take(signal, isInFront: ends.terminal.isInFront))
  }

  private mutating func takeStop() {
    switch walls_next_stop(stops) {
    case 0: return
    case -1: stops = -1
    case let signal: perform(job.programStopped(by: signal, isInFront: ends.terminal.isInFront))
    }
  }

  private mutating func perform(_ acts: [Job.Act]) {
    for act in acts {
      switch act {
      case .takeKeys: if !ends.terminal.takeKeys() { job.lostFront() }
      case .leaveKeys:
        flush()
        ends.terminal.leaveKeys()
      case .give(let order): walls_give_order(ends.own, order.code)
      case .copySize: walls_copy_size(ends.terminal.descriptor, window)
      case .stop(let signal, let withGroup):
        let wasStopped = walls_stop(signal, withGroup ? 1 : 0) == 1
        perform(job.goOn(ends.terminal.isInFront, wasStopped: wasStopped || signal == SIGSTOP))
      }
    }
  }

  /// Writes what the program has printed before it was stopped, as far as the terminal takes it at once.
  private mutating func flush() {
    while true {
      if output.isEmpty { output = Self.bytes(from: window) ?? [] }
      guard !output.isEmpty else { return }
      let before = output.count
      guard send(&output, to: ends.terminal.descriptor), output.count < before else { return }
    }
  }
}
