import CFuse
import CWalls

/// The program behind the walls as a job of the shell that has started it: who has the keys, who stops, who goes on.
///
/// Inside, the program is a job of its own terminal. If it has no right to its keys there, the kernel stops it as soon as
/// it wants them, and so the warden learns of it.
struct Job: Hashable, Sendable {
  enum Act: Hashable, Sendable {
    case takeKeys
    case leaveKeys
    case give(Order)
    case copySize
    /// Stops this process, and with it the others of its job if the key came from the program's terminal.
    case stop(by: Int32, withGroup: Bool)
  }

  enum Order: Hashable, Sendable {
    case front, back, stop, interrupt, quit, resize
  }

  /// Whether the program wants keys: it is alone at the terminal, or has tried to read.
  private(set) var wantsKeys: Bool
  private(set) var hasKeys = false
  /// Whether somebody outside has told this process to stop. The others of its job have been told, too.
  private var isToldToStop = false
  private var lastStop: Int32 = 0

  init(wantsKeys: Bool) { self.wantsKeys = wantsKeys }

  /// The acts once the program has begun, with its terminal if the job had the person's then.
  mutating func begin(_ isInFront: Bool, asPromised: Bool) -> [Act] {
    guard wantsKeys, isInFront == asPromised else { return resume(isInFront) }
    hasKeys = isInFront
    return isInFront ? [.takeKeys] : []
  }

  /// The acts after a signal for this process.
  mutating func take(_ signal: Int32, isInFront: Bool) -> [Act] {
    switch signal {
    case SIGINT: return [.give(.interrupt)]
    case SIGQUIT: return [.give(.quit)]
    case SIGCONT: return resume(isInFront)
    case SIGWINCH: return hasKeys ? [.copySize] : [.copySize, .give(.resize)]
    case SIGTSTP:
      isToldToStop = true
      return [.give(.stop)]
    default: return []
    }
  }

  /// The acts after a signal has stopped the program.
  mutating func programStopped(by signal: Int32, isInFront: Bool) -> [Act] {
    lastStop = signal
    if isForKeys(signal) {
      wantsKeys = true
      if isInFront { return resume(true) }
    }
    let isAlone = isToldToStop || signal == SIGSTOP
    hasKeys = false
    return [.leaveKeys, .stop(by: signal, withGroup: !isAlone)]
  }

  /// The acts once this process goes on, or could not be stopped, because no shell would continue it.
  mutating func goOn(_ isInFront: Bool, wasStopped: Bool) -> [Act] {
    // It would be stopped again at once, and again. So it waits for a key that does not come.
    if !wasStopped, !isInFront, isForKeys(lastStop) { return [.give(.front)] }
    return resume(isInFront)
  }

  /// Another job has the terminal.
  mutating func lostFront() { hasKeys = false }

  private func isForKeys(_ signal: Int32) -> Bool { signal == SIGTTIN || signal == SIGTTOU }

  private mutating func resume(_ isInFront: Bool) -> [Act] {
    isToldToStop = false
    hasKeys = isInFront && wantsKeys
    return [.copySize] + (hasKeys ? [.takeKeys, .give(.front)] : [.give(.back)])
  }
}

extension Job.Order {
  var code: walls_order {
    switch self {
    case .front: walls_order_front
    case .back: walls_order_back
    case .stop: walls_order_stop
    case .interrupt: walls_order_interrupt
    case .quit: walls_order_quit
    case .resize: walls_order_resize
    }
  }
}
