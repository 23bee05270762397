/// What came of asking whether a program may use a capability. A denial is a result like any other.
public struct Authorization<Status: AuthorizationStatus>: Hashable, Sendable {
  public let availability: Availability
  /// What holds, an answer that was given for this request alone included.
  public let status: Status
  /// How the request came to its end, or why there was none.
  public let end: AuthorizationEnd

  public var isAvailable: Bool { availability.isAvailable }

  public init(availability: Availability, status: Status, end: AuthorizationEnd = .known) {
    self.availability = availability
    self.status = status
    self.end = end
  }
}

/// How it was found out what holds.
public enum AuthorizationEnd: Hashable, Sendable {
  /// Nobody had to be asked: it is not available, or all of it was decided.
  case known
  /// The program is muted: nobody was asked, and what is new is denied.
  case muted
  /// It was asked for.
  case asked(RequestEnd)

  /// The answer that was given, for the operation that asked; `nil` if there was none.
  public var answer: GivenAnswer? {
    if case .asked(let end) = self { end.answer } else { nil }
  }
}

/// Why an operation may not use a capability.
public enum AuthorizationError<Status: AuthorizationStatus>: Error, Sendable {
  /// This machine does not have it.
  case unavailable(Unavailability)
  /// Not all of what is required is allowed.
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

extension AuthorizationError: Equatable {}
