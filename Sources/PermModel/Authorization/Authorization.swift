/// The result of asking whether a program may use a capability. A denial is a result like any other.
public struct Authorization<Status: AuthorizationStatus>: Hashable, Sendable {
  public let availability: Availability
  /// The status now, including an answer that was given for this request alone.
  public let status: Status
  /// How the request ended, or why there was none.
  public let end: AuthorizationEnd

  public var isAvailable: Bool { availability.isAvailable }

  public init(availability: Availability, status: Status, end: AuthorizationEnd = .known) {
    self.availability = availability
    self.status = status
    self.end = end
  }
}

/// The way in which a status was found out.
public enum AuthorizationEnd: Hashable, Sendable {
  /// It was not necessary to ask: the capability is not available, or all of it was already decided.
  case known
  /// The program is muted: the person was not asked, and undecided parts are denied.
  case muted
  /// A request was made, with this end.
  case asked(RequestEnd)

  /// The answer that was given to the operation that asked; `nil` if there was none.
  public var answer: GivenAnswer? {
    if case .asked(let end) = self { end.answer } else { nil }
  }
}

/// The reason why an operation may not use a capability.
public enum AuthorizationError<Status: AuthorizationStatus>: Error, Equatable, Sendable {
  /// This machine does not have the capability.
  case unavailable(Unavailability)
  /// Not all of the requirement is allowed.
  case notGranted(Status, requirement: Status.Requirement)
}

extension AuthorizationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let why): "not available: \(why)"
    case .notGranted(let status, let requirement): "\(requirement) is not granted: \(status)"
    }
  }
}
