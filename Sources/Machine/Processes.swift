import CLinux
import Glibc

/// The fields of `/proc/PID/stat` that identify a process or describe its state.
package struct ProcessStat: Hashable, Sendable {
  package var name: String
  /// Whether the process is still running. A zombie is regarded as ended.
  package var isRunning: Bool
  /// Whether a signal or a debugger has stopped the process.
  package var isStopped: Bool
  package var parent: Int32
  /// The number of the process that leads the session.
  package var session: Int32
  package var terminal: String?
  /// Whether the process was forked and has not executed a new program since.
  package var isFork: Bool
  /// The time from boot to the start of the process, in clock ticks.
  package var startTime: UInt64

  /// Parses the contents of `/proc/PID/stat`. The name is in parentheses and can contain any character, including
  /// parentheses, so it ends at the last closing parenthesis.
  package init?(_ line: [UInt8]) {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")),
      let close = line.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    let fields = line[(close + 1)...].split(separator: UInt8(ascii: " "))
    func number<Number: FixedWidthInteger>(_ field: Int) -> Number? {
      // The third field of the line is the first one after the name.
      guard fields.indices.contains(field - 3) else { return nil }
      return Number(String(decoding: fields[field - 3], as: UTF8.self))
    }
    guard let parent: Int32 = number(4), let session: Int32 = number(6), let device: Int32 = number(7),
      let flags: UInt32 = number(9),
      let startTime: UInt64 = number(22)
    else { return nil }
    self.name = String(decoding: line[(open + 1)..<close], as: UTF8.self)
    let state = fields.first?.first
    self.isRunning = ![UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(state)
    self.isStopped = [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(state)
    self.parent = parent
    self.session = session
    self.terminal = Self.terminalName(device)
    self.isFork = flags & Self.forkedWithoutExecuting != 0
    self.startTime = startTime
  }

  /// The flag `PF_FORKNOEXEC` of the kernel's `sched.h`.
  private static let forkedWithoutExecuting: UInt32 = 0x40

  /// Returns the name, relative to `/dev`, of the terminal with this device number.
  private static func terminalName(_ device: Int32) -> String? {
    guard device != 0 else { return nil }
    let bits = UInt32(bitPattern: device)
    let major = (bits >> 8) & 0xfff
    let minor = (bits & 0xff) | ((bits >> 12) & 0xfff00)
    switch major {
    case 136...143: return "pts/\((major - 136) * 256 + minor)"
    case 4 where minor < 64: return "tty\(minor)"
    case 4: return "ttyS\(minor - 64)"
    default: return "tty \(major):\(minor)"
    }
  }

  /// Reads the fields of the process with this number; `nil` if there is no such process.
  package init?(of process: Int32) {
    guard let line = try? Files.bytes(ofProcess: "/proc/\(process)/stat", limit: 4096) else { return nil }
    self.init(line)
  }
}

/// The groups of a process.
package struct ProcessGroups: Hashable, Sendable {
  /// The group of the user who started the process.
  package var real: UInt32
  /// The group that the process got from its program's file. Only such a file can set it, and the process keeps it even
  /// if it gives up its rights.
  package var saved: UInt32

  /// Reads the groups of the process with this number; `nil` if there is no such process.
  package init?(of process: Int32) {
    guard let status = try? Files.bytes(of: "/proc/\(process)/status", limit: 8192),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: {
        $0.hasPrefix("Gid:")
      })
    else { return nil }
    let numbers = line.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) }
    guard numbers.count == 4 else { return nil }
    (real, saved) = (numbers[0], numbers[2])
  }
}

/// The user with whose rights a process runs.
package enum ProcessUser {
  /// The user of this process.
  package static var own: UInt32 { geteuid() }

  /// Returns the effective user of the process with this number; `nil` if there is no such process. The kernel also tells
  /// it of a process whose files it hides.
  package static func effective(of process: Int32) -> UInt32? {
    guard let status = try? Files.bytes(of: "/proc/\(process)/status", limit: 8192),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: {
        $0.hasPrefix("Uid:")
      })
    else { return nil }
    let numbers = line.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) }
    return numbers.count == 4 ? numbers[1] : nil
  }
}

/// A handle to a process. It never refers to another process, even if a later process gets the same number.
package final class ProcessHandle: Sendable {
  private let descriptor: Int32

  /// Creates a handle; `nil` if there is no such process, or if the kernel refuses to provide a handle.
  package init?(_ process: Int32) {
    descriptor = pidfd_of_process(process)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  package var hasEnded: Bool { !Readable.poll([descriptor], milliseconds: 0).isEmpty }

  /// Waits until the process has ended, without blocking a thread. Returns `false` if the task was cancelled
  /// before the process ended.
  package func untilEnd() async -> Bool {
    await Readable.wait(for: descriptor)
    return hasEnded
  }

  /// The number of this process.
  package static var own: Int32 { getpid() }
}
