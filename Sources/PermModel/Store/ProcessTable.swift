import CLinux
import Dispatch
import Glibc

/// What `/proc` tells of processes.
enum ProcessTable {
  static func current() -> ProcessIdentity {
    let pid = getpid()
    return ProcessIdentity(pid: pid, startTime: startTime(of: pid) ?? 0)
  }

  /// Whether this very process still runs, and not a later one with the same number. A zombie has ended.
  static func isRunning(_ process: ProcessIdentity) -> Bool {
    guard let fields = fields(of: process.pid), let state = fields.first, state != "Z", state != "X" else {
      return false
    }
    return startTime(in: fields) == process.startTime
  }

  /// Waits until this very process has ended, and returns whether it has: `false` where the kernel cannot tell, and when
  /// the task is cancelled. It is waited for in the kernel, without a thread.
  static func untilEnd(of process: ProcessIdentity) async -> Bool {
    let descriptor = pidfd_of_process(process.pid)
    guard descriptor >= 0 else { return !isRunning(process) }
    let (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler { end.yield() }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    defer { source.cancel() }
    // Asked with the descriptor in hand, which stands for whoever had the number when it was made.
    guard isRunning(process) else { return true }
    for await _ in ends { return true }
    return false
  }

  /// Clock ticks from boot to the process's start; `nil` if there is no such process.
  static func startTime(of pid: Int32) -> UInt64? { fields(of: pid).flatMap(startTime) }

  private static func startTime(in fields: [Substring]) -> UInt64? {
    fields.count > 19 ? UInt64(fields[19]) : nil
  }

  /// The fields of `/proc/PID/stat` from the third on. The second is the name, which may hold spaces and
  /// parentheses, so they are counted from its end.
  private static func fields(of pid: Int32) -> [Substring]? {
    guard let text = SmallFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    return text[text.index(after: end)...].split(separator: " ")
  }
}
