/// The result of asking whether a program is allowed to use a capability. A denial is a normal result, not an error.
public struct Authorization<Status: AuthorizationStatus>: Hashable, Sendable {
  public let availability: Availability
  /// The current status. It includes an answer that was given only for this request.
  public let status: Status
  /// The way in which the request ended, or the reason why no request was made.
  public let end: AuthorizationEnd

  public var isAvailable: Bool { availability.isAvailable }

  public init(availability: Availability, status: Status, end: AuthorizationEnd = .known) {
    self.availability = availability
    self.status = status
    self.end = end
  }
}

/// The way in which a status was determined.
public enum AuthorizationEnd: Hashable, Sendable {
  /// There was no need to ask, because the capability is not available, or because the whole requirement was
  /// already decided.
  case known
  /// The program is muted: the person was not asked, and undecided parts are denied.
  case muted
  /// A request was made; the associated value is how it ended.
  case asked(RequestEnd)

  /// The answer that was given to the operation that asked; `nil` if there was none.
  public var answer: GivenAnswer? {
    if case .asked(let end) = self { end.answer } else { nil }
  }
}

/// The reason why an operation cannot use a capability.
public enum AuthorizationError<Status: AuthorizationStatus>: Error, Equatable, Sendable {
  /// This machine does not have the capability.
  case unavailable(Unavailability)
  /// At least part of the requirement is not allowed.
  case notGranted(Status, requirement: Status.Requirement)
}

extension AuthorizationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let why): "not available: \(why)"
    case .notGranted(let status, let requirement):
      switch status.state(of: requirement.atoms) {
      case .denied: "\(requirement) was denied"
      case .undecided: "\(requirement) is undecided"
      default: "\(requirement) is not allowed: \(status)"
      }
    }
  }
}
