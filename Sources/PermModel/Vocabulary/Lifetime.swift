/// How long a kept decision holds.
///
/// There is no case for *once*: an answer that is only for its own request is never kept.
package enum Lifetime: Hashable, Sendable, Codable {
  /// Until this process ends. The start time distinguishes it from a later process with the same number.
  case process(ProcessIdentity)
  /// Until the session with this random id ends, by a full log-out or a reboot.
  case session(String)
  /// Until a moment of the wall clock, or of the clock that counts since boot, whichever comes first.
  case until(Deadline)
  case forever
}

extension Lifetime: LosslessStringConvertible {
  /// The form in which the store keeps it: `forever`, `session ID`, `process PID START`, or
  /// `until WALL BOOTTIME BOOT`, in microseconds.
  package var description: String {
    switch self {
    case .forever: "forever"
    case .session(let id): "session \(id)"
    case .process(let process): "process \(process.pid) \(process.startTime)"
    case .until(let end): "until \(end.wall.microseconds) \(end.bootTime) \(end.bootID)"
    }
  }

  package init?(_ description: String) {
    if let id = description.rest(after: "session ") {
      self = .session(id)
      return
    }
    let words = description.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    switch (words.first, words.count) {
    case ("forever", 1): self = .forever
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

/// A moment at which a decision ends, on two clocks, so that setting the clock back extends nothing.
package struct Deadline: Hashable, Sendable, Codable {
  package var wall: Timestamp
  /// The boot in which `bootTime` counts; in any other boot only the wall clock counts.
  package var bootID: String
  /// Microseconds since that boot, suspended time included.
  package var bootTime: Int64

  package init(wall: Timestamp, bootID: String, bootTime: Int64) {
    self.wall = wall
    self.bootID = bootID
    self.bootTime = bootTime
  }
}

/// A process, distinguished from all others of this boot.
public struct ProcessIdentity: Hashable, Sendable, Codable {
  package var pid: Int32
  /// Clock ticks from boot to start, from field 22 of `/proc/PID/stat`.
  package var startTime: UInt64

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

/// How long an answer is to hold, as a person or a command says it, before it is tied to a process, session or
/// deadline.
public enum LifetimeChoice: Hashable, Sendable, Codable {
  /// This request, and those joined to it; nothing is kept.
  case once
  case process
  case session
  case duration(Duration)
  case until(Timestamp)
  case forever

  /// A hundred years, the longest duration or wait. Anything longer means forever.
  package static let longest = Duration.seconds(36_525 * 86_400)
}
