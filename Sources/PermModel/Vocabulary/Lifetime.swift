/// The time for which a decision is in effect.
///
/// There is no case for *once*, because an answer for only one request is never kept.
public enum Lifetime: Hashable, Sendable, Codable {
  /// Until this process ends. The start time distinguishes the process from a later one with the same number.
  case process(ProcessIdentity)
  /// Until the session with this random id ends. A full log-out or a reboot ends it.
  case session(String)
  /// Until the deadline is reached on either of two clocks: the wall clock or the clock that counts since boot.
  case until(Deadline)
  case forever
}

extension Lifetime: LosslessStringConvertible {
  /// The form in which the store keeps the lifetime: `forever`, `session ID`, `process PID START`, or
  /// `until WALL BOOTTIME BOOT`. START is in clock ticks, WALL and BOOTTIME are in microseconds, and BOOT is
  /// the id of a boot.
  public var description: String {
    switch self {
    case .forever: "forever"
    case .session(let id): "session \(id)"
    case .process(let process): "process \(process.pid) \(process.startTime)"
    case .until(let end): "until \(end.wall.microseconds) \(end.bootTime) \(end.bootID)"
    }
  }

  public init?(_ description: String) {
    if description == "forever" {
      self = .forever
      return
    }
    if let id = description.rest(after: "session ") {
      self = .session(id)
      return
    }
    let words = description.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    switch (words.first, words.count) {
    case ("process", 3):
      guard let pid = Int32(words[1]), let start = UInt64(words[2]) else { return nil }
      self = .process(ProcessIdentity(pid: pid, startTime: start))
    case ("until", 4):
      guard let wall = Int64(words[1]), let bootTime = Int64(words[2]) else { return nil }
      self = .until(
        Deadline(wall: Timestamp(microseconds: wall), bootID: String(words[3]), bootTime: bootTime))
    default: return nil
    }
  }
}

/// The time at which a decision ends, given on two clocks. The clock that counts since boot cannot be set, so
/// setting the wall clock back does not extend a decision.
public struct Deadline: Hashable, Sendable, Codable {
  public var wall: Timestamp
  /// The id of the boot to which `bootTime` refers. During any other boot, only the wall clock is used.
  package var bootID: String
  /// The deadline in microseconds since the machine was booted, including times when the machine was suspended.
  package var bootTime: Int64

  package init(wall: Timestamp, bootID: String, bootTime: Int64) {
    self.wall = wall
    self.bootID = bootID
    self.bootTime = bootTime
  }
}

/// The identity of a process, which distinguishes it from all other processes since the machine was booted.
public struct ProcessIdentity: Hashable, Sendable, Codable {
  package var pid: Int32
  /// The time from boot to the start of the process, in clock ticks: field 22 of `/proc/PID/stat`.
  package var startTime: UInt64

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

/// The time for which an answer should be in effect, as chosen by a person or a command. The choice is not
/// yet tied to a particular process, session or deadline.
public enum LifetimeChoice: Hashable, Sendable, Codable {
  /// Only for this request and for the requests joined to it. The answer is not kept.
  case once
  case process
  case session
  case duration(Duration)
  case until(Timestamp)
  case forever

  /// The longest duration or wait, which is a hundred years. Anything longer means forever.
  package static let longest = Duration.seconds(36_525 * 86_400)
}
