/// The result of asking whether a program is allowed to use a capability. A denial is a normal result, not an error.
///
/// The result knows what was asked: ``isAllowed`` says whether the program can go on, and ``refusal`` why not.
public struct Authorization<Status: AuthorizationStatus>: Hashable, Sendable {
  /// The extent of the capability that was asked for.
  public let requirement: Status.Requirement
  public let availability: Availability
  /// The current status. It includes an answer that was given only for this request.
  public let status: Status
  /// The way in which the request ended, or the reason why no request was made.
  public let end: AuthorizationEnd
  private let reason: AuthorizationRefusal?

  /// Creates a result, for example in a test.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that was asked for.
  ///   - status: The capability's status.
  ///   - availability: Whether this machine has the capability.
  ///   - end: The way in which the request ended.
  ///   - refusal: The reason why the requirement is not allowed. It has no effect if the requirement is allowed.
  public init(
    _ requirement: Status.Requirement, _ status: Status, availability: Availability = .available(found: ""),
    end: AuthorizationEnd = .known, refusal: AuthorizationRefusal? = nil
  ) {
    self.requirement = requirement
    self.availability = availability
    self.status = status
    self.end = end
    reason = availability.unavailability.map { .unavailable($0) } ?? refusal
  }

  public var isAvailable: Bool { availability.isAvailable }

  /// Whether the capability is available, and everything that was asked for is allowed.
  public var isAllowed: Bool { isAvailable && status.meets(requirement) }

  /// The reason why the program cannot go on; `nil` if it can, or if nobody has decided or been asked yet.
  public var refusal: AuthorizationRefusal? { isAllowed ? nil : reason }

  /// Returns the status if everything that was asked for is allowed.
  ///
  /// - Throws: The error with which ``AuthorizedFor`` would fail.
  @discardableResult
  public func required() throws(AuthorizationError<Status>) -> Status {
    if let why = availability.unavailability { throw .unavailable(why) }
    guard isAllowed else { throw .notGranted(status, requirement: requirement) }
    return status
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
