/// Whether this machine has the data, device or service that a capability is about.
public enum Availability: Hashable, Sendable {
  /// Available, with a few words about what was found, for example `2 accounts`.
  case available(found: String)
  case unavailable(Unavailability)

  public var isAvailable: Bool {
    if case .available = self { true } else { false }
  }

  /// The reason why the capability is not available; `nil` if it is available.
  public var unavailability: Unavailability? {
    if case .unavailable(let why) = self { why } else { nil }
  }

  /// Returns the availability of something that is not present on this machine.
  public static func missing(_ reason: String, remedy: String) -> Availability {
    .unavailable(Unavailability(cause: .missing, reason: reason, remedy: remedy))
  }

  /// Returns the availability of something that the probe could not look for.
  public static func undetermined(_ reason: String, remedy: String) -> Availability {
    .unavailable(Unavailability(cause: .undetermined, reason: reason, remedy: remedy))
  }
}

/// The reason why a capability is not available on this machine, and a remedy.
public struct Unavailability: Hashable, Sendable, Codable {
  package enum Cause: String, Sendable, Codable {
    /// The probe looked and found nothing.
    case missing
    /// The probe could not look, for example because it is not allowed to read a file.
    case undetermined
  }

  package var cause: Cause
  /// The reason in words, for example `no pictures folder`.
  public var reason: String
  /// The step that would make the capability available, written as an instruction.
  public var remedy: String

  public init(reason: String, remedy: String) { self.init(cause: .missing, reason: reason, remedy: remedy) }

  package init(cause: Cause, reason: String, remedy: String) {
    self.cause = cause
    self.reason = reason
    self.remedy = remedy
  }
}

extension Unavailability: CustomStringConvertible {
  public var description: String { "\(reason); \(remedy)" }
}
