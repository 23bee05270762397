/// Whether this machine has what a capability is about.
public enum Availability: Hashable, Sendable {
  /// It is there; the words say what was found, for example `2 accounts`.
  case available(found: String)
  case unavailable(Unavailability)

  public var isAvailable: Bool {
    if case .available = self { true } else { false }
  }

  /// Why it is not available; `nil` if it is.
  public var unavailability: Unavailability? {
    if case .unavailable(let why) = self { why } else { nil }
  }

  /// It is not there.
  public static func missing(_ reason: String, remedy: String) -> Availability {
    .unavailable(Unavailability(cause: .missing, reason: reason, remedy: remedy))
  }

  /// The probe could not look.
  public static func undetermined(_ reason: String, remedy: String) -> Availability {
    .unavailable(Unavailability(cause: .undetermined, reason: reason, remedy: remedy))
  }
}

/// Why a capability is not available on this machine, and what would change that.
public struct Unavailability: Hashable, Sendable, Codable {
  public enum Cause: String, Sendable, Codable {
    /// The probe looked, and nothing is there.
    case missing
    /// The probe could not look, for example for lack of rights on a file.
    case undetermined
  }

  public var cause: Cause
  /// What is missing, in words, for example `no pictures folder`.
  public var reason: String
  /// What makes it available, as an instruction.
  public var remedy: String

  public init(cause: Cause = .missing, reason: String, remedy: String) {
    self.cause = cause
    self.reason = reason
    self.remedy = remedy
  }
}

extension Unavailability: CustomStringConvertible {
  public var description: String { "\(reason); \(remedy)" }
}
