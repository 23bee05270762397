import CNcurses
import Glibc
import Machine

/// A guard that restores the terminal when a fatal signal or a call of `exit` ends the process.
///
/// A signal handler is allowed to call almost no function, so everything that it needs is prepared in
/// advance: the bytes to send, the terminal's mode, and the previous handlers. After the terminal is
/// restored, the previous handler or the default action runs, so that the crash takes its normal course.
enum CrashGuard {
  private struct Prepared {
    var output: Int32
    var bytes: UnsafeRawBufferPointer
    var shellMode: termios
    var messages: StandardErrorCapture?
    var previous: UnsafeMutablePointer<sigaction>
  }

  private static let signals = [SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT]

  /// The prepared data. It is set before the handlers are installed, and freed after their removal. In between, only
  /// the handlers and the exit hook use it. The first to run sets it to `nil`, so the terminal is restored only once.
  nonisolated(unsafe) private static var prepared: UnsafeMutablePointer<Prepared>?
  nonisolated(unsafe) private static var exitHookIsSet = false

  static func arm(output: Int32, bytes: [UInt8], shellMode: termios, messages: StandardErrorCapture?) {
    disarm()
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: signals.count)
    previous.initialize(repeating: sigaction(), count: signals.count)
    let new = UnsafeMutablePointer<Prepared>.allocate(capacity: 1)
    new.initialize(
      to: Prepared(
        output: output, bytes: UnsafeRawBufferPointer(copy), shellMode: shellMode, messages: messages,
        previous: previous))
    prepared = new
    if !exitHookIsSet {
      exitHookIsSet = true
      atexit { CrashGuard.restore() }
    }
    install(previous)
  }

  /// Removes the handlers, and reinstalls the previous ones.
  static func disarm() {
    guard let old = prepared else { return }
    for (index, signal) in signals.enumerated() { sigaction(signal, old.pointee.previous + index, nil) }
    prepared = nil
    old.pointee.bytes.deallocate()
    old.pointee.previous.deallocate()
    old.deallocate()
  }

  private static func install(_ previous: UnsafeMutablePointer<sigaction>) {
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { signal, info, _ in
      CrashGuard.handle(signal, code: info?.pointee.si_code ?? 0)
    }
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER
    for (index, signal) in signals.enumerated() { sigaction(signal, &action, previous + index) }
  }

  private static func handle(_ signal: Int32, code: Int32) {
    let old = prepared
    restore()
    if let old {
      for (index, other) in signals.enumerated() { sigaction(other, old.pointee.previous + index, nil) }
    } else {
      Glibc.signal(signal, SIG_DFL)
    }
    // When the handler returns, a faulting instruction runs again and causes the same signal. SIGTRAP and signals sent
    // by a process do not recur, so they must be raised again.
    if code <= 0 || signal == SIGTRAP { raise(signal) }
  }

  private static func restore() {
    guard let state = prepared else { return }
    prepared = nil
    WholeWrite.write(state.pointee.bytes, to: state.pointee.output)
    tcsetattr(state.pointee.output, TCSANOW, &state.pointee.shellMode)
    state.pointee.messages?.end()
  }
}
